// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { isObject, jsonEqual } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { PatchSession } from '@forge/kube/patch/json-patch.ts';
import { PatchError } from '@forge/kube/patch/patch-error.ts';
import { BodyLimits } from '../encoding/object-size.ts';
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';
import { inTurns, Turn } from '../matching/turn.ts';
import { internalError } from '../messages/status-errors.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { Webhook } from './calls/webhook-index.ts';
import { invokeWebhook } from './invoke-webhook.ts';
import { isExempt } from './is-exempt.ts';
import { matchWebhook } from './match-webhook.ts';

/** What to do with an object that a webhook has patched. */
export interface Mutation {
  /** Decodes the patched object. */
  accept(patched: KubeObject): Promise<KubeObject>;
  /** Runs the built-in admission plugins again. */
  readmit(object: KubeObject): Promise<KubeObject>;
}

/**
 * Calls the mutating webhooks in order, each with the result of the previous one. When a later one changes the object,
 * webhooks with reinvocationPolicy IfNeeded are called again.
 */
export async function runMutatingWebhooks(
  attributes: AdmissionAttributes,
  server: ServerContext,
  change?: Mutation,
): Promise<void> {
  if (isExempt(attributes)) return;
  const invocations = new Invocations(server, change);
  const object = await invocations.run(attributes);
  if (!invocations.changed || object === undefined || change === undefined) return;
  const readmitted = await change.readmit(object);
  if (!jsonEqual(readmitted, object)) invocations.markForReinvocation();
  await invocations.run({ ...attributes, object: readmitted }, 'reinvocation');
}

class Invocations {
  readonly #server: ServerContext;
  readonly #webhooks: readonly Webhook[];
  readonly #change: Mutation | undefined;
  readonly #turn = new Turn();
  /** Webhooks called since the last change that want reinvocation. */
  readonly #waiting = new Set<Webhook>();
  /** Webhooks to call again. */
  readonly #reinvoked = new Set<Webhook>();
  changed = false;

  constructor(server: ServerContext, change: Mutation | undefined) {
    this.#server = server;
    this.#webhooks = server.webhooks.mutating();
    this.#change = change;
  }

  /** The object has changed: marks the waiting webhooks for reinvocation. */
  markForReinvocation(): void {
    this.changed = true;
    for (const webhook of this.#waiting) this.#reinvoked.add(webhook);
    this.#waiting.clear();
  }

  /** Calls all webhooks, or those marked for reinvocation; returns the resulting object. */
  async run(attributes: AdmissionAttributes, pass?: 'reinvocation'): Promise<KubeObject | undefined> {
    let { object } = attributes;
    for (const webhook of this.#webhooks) {
      if (pass !== undefined && !this.#reinvoked.has(webhook)) continue;
      const current = { ...attributes, object };
      const matching = inTurns(matchWebhook(webhook, current, this.#server, this.#turn));
      const invocation = matching instanceof Promise ? await matching : matching;
      if (invocation === undefined) continue;
      const operations = await invokeWebhook(current, invocation, this.#server, true);
      const next = operations.length === 0 ? object : await this.#patched(object, operations, webhook);
      if (!jsonEqual(next, object)) this.markForReinvocation();
      if (webhook.reinvocationPolicy === 'IfNeeded') this.#waiting.add(webhook);
      object = next;
    }
    return object;
  }

  async #patched(
    object: KubeObject | undefined,
    operations: readonly unknown[],
    { name }: Webhook,
  ): Promise<KubeObject> {
    if (object === undefined || this.#change === undefined) {
      throw internalError(
        `admission webhook "${name}" attempted to modify the object, which is not supported for this operation`,
      );
    }
    return this.#change.accept(applyOperations(object, operations));
  }
}

function applyOperations(object: KubeObject, operations: readonly unknown[]): KubeObject {
  const session = new PatchSession(object, new BodyLimits());
  for (const operation of operations) {
    try {
      session.perform(operation);
    } catch (error) {
      if (error instanceof ApiError) throw internalError(error.message);
      if (!(error instanceof PatchError)) throw error;
      throw internalError(explain(error, isObject(operation) ? operation['op'] : undefined));
    }
  }
  return session.document as KubeObject;
}

/** Why an operation does not apply, worded as kube-apiserver does. */
function explain({ message }: PatchError, op: unknown): string {
  if (typeof op !== 'string' || op === 'test' || !message.startsWith('doc is missing path')) return message;
  const isQuoted = op === 'add' || op === 'remove';
  return `${op} operation does not apply: ${isQuoted ? message.replace(/(?<=path: )\S+(?=: missing)/, '"$&"') : message}`;
}
