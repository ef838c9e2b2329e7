// SPDX-License-Identifier: Apache-2.0
import { client } from '@forge/kube/client/client.ts';
import type { Transport } from '@forge/kube/client/transport.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Access, Controller } from '../controller/controller.ts';
import { manager, type Manager } from '../controller/manager.ts';
import type { Backoff } from '../environment/backoff.ts';
import { instrumentedTransport } from '../observability/instrumented-transport.ts';
import { jsonLine, logger, terminalLine, type LogEntry, type Logger } from '../observability/logger.ts';
import { prometheusMetrics } from '../observability/prometheus-metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { AdmissionPolicy } from '../webhook/admission-policy.ts';
import type { Webhook } from '../webhook/webhook.ts';
import { clusterConnection } from './cluster-connection.ts';
import { exitCodes } from './exit-code.ts';
import type { Flags, FlagValues } from './flag.ts';
import { metricsSecurity } from './metrics-security.ts';
import { operatorEndpoints } from './operator-endpoints.ts';
import { operatorFlags, type OperatorOptions } from './operator-flags.ts';
import { ownNamespace } from './own-namespace.ts';
import { flagsHelp, parseFlags, UsageError } from './parse-flags.ts';
import type { ProcessHost } from './process-host.ts';
import { processMetrics } from './process-metrics.ts';
import { requireKinds } from './require-kinds.ts';
import { requireNamespace } from './require-namespace.ts';
import { startWebhooks } from './start-webhooks.ts';

/** An operator: everything that its process, manifests and docs are generated from. */
export interface Operator<F extends Flags = Flags> {
  /** `keystone-operator`; also its field manager for writes other than applies. */
  readonly name: string;
  /** One sentence for `--help`. */
  readonly description: string;
  readonly version: string;
  /** The leader election Lease: `keystone.openstack.c5c3.io`. Default: the operator's name. */
  readonly lease?: string;
  /** Flags of its own. Default: none. */
  readonly flags?: F;
  /** Its own kinds: their CRDs are among its manifests. */
  readonly kinds: readonly Kind[];
  /** Kinds of other operators that it requires; optional kinds are not listed. Default: none. */
  readonly requires?: readonly Kind[];
  /** Backoff after a failed reconciliation. Default: the manager's. */
  readonly backoff?: Backoff;
  /** Its admission webhooks. */
  readonly webhooks?: readonly Webhook[];
  /** Its admission policies, among the manifests for the whole cluster. Default: none. */
  readonly policies?: readonly AdmissionPolicy[];
  /** Access that only some installations need: a separate role in its manifests. Default: none. */
  readonly optionalAccess?: readonly Access[];
  /** Its controllers; `ownNamespace` is undefined outside of a cluster, `transport` sends raw requests to the API server. */
  controllers(
    options: FlagValues<F> & { ownNamespace: string | undefined },
    host: Pick<ProcessHost, 'clock' | 'random'> & { readonly transport: Transport },
  ): readonly Controller[];
}

/** Runs an operator until shutdown; resolves with the exit code. */
export async function runOperator<F extends Flags>(operator: Operator<F>, host: ProcessHost): Promise<number> {
  const { environment, output } = host;
  const inPod = environment['KUBERNETES_SERVICE_HOST'] !== undefined;
  const common = operatorFlags({ inPod, onTerminal: output.isTerminal });
  const flags = { ...common, ...operator.flags };
  if (host.args.some((each) => each === '-h' || each === '--help')) return printAndExit(host, help(operator, flags));
  if (host.args.includes('--version')) return printAndExit(host, operator.version);
  try {
    const options = parseFlags(flags, host.args, environment) as unknown as OperatorOptions & FlagValues<F>;
    const log = processLog(host, options);
    try {
      return await run(operator, options, host, log);
    } catch (error) {
      log.error(`${operator.name} cannot continue; exiting`, { error });
      return exitCodes.failed.code;
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.write(`${error.message}\n`);
    return exitCodes.usage.code;
  }
}

async function run<F extends Flags>(
  operator: Operator<F>,
  options: OperatorOptions & FlagValues<F>,
  host: ProcessHost,
  log: Logger,
): Promise<number> {
  const { clock, random, shutdown } = host;
  await using stack = new AsyncDisposableStack();
  const metrics = prometheusMetrics();
  processMetrics(metrics, () => host.usage());
  const connection = await clusterConnection(options, host);
  const transport = host.connect(connection);
  stack.defer(() => transport.close());
  const instrumented = instrumentedTransport(transport, new URL(connection.server).host, metrics);
  const api = client(instrumented, { fieldManager: operator.name });
  // Runs while the endpoints open; awaited below.
  const namespaces = options.namespace === '' ? options.namespaces : [options.namespace];
  const required = requireKinds(operator, namespaces, { api, log });
  required.catch(() => undefined);
  const own = await ownNamespace(options.podNamespace, host.readFile);
  const deposed = Promise.withResolvers<'deposed'>();
  const stopped = new Promise<'stopped'>((resolve) => {
    if (shutdown.aborted) resolve('stopped');
    shutdown.addEventListener('abort', () => resolve('stopped'));
  });

  const running = manager({
    client: api,
    clock,
    random,
    log,
    metrics,
    resync: options.syncPeriod,
    ...(namespaces.length > 0 && { namespaces }),
    ...(options.tracing && { tracing: await tracingOf(operator) }),
    ...(operator.backoff !== undefined && { backoff: operator.backoff }),
    ...(options.leaderElect && {
      election: {
        lease: { namespace: requireNamespace('--leader-elect: Leases', own), name: operator.lease ?? operator.name },
        identity: `${host.hostname}_${random.uuid()}`,
        onLost: () => deposed.resolve('deposed'),
      },
    }),
  });
  // Stops the checks of certificate files however startup or shutdown ends.
  const checking = new AbortController();
  stack.defer(() => checking.abort());
  const context = { ...host, api, log, metrics, own, running, signal: checking.signal };
  const security = await metricsSecurity(operator.name, options, context);
  const endpoints = stack.use(await operatorEndpoints(options, metrics, { running, shutdown, security }));
  const { healthPort, metricsPort } = endpoints;
  log.info(`starting ${operator.name} ${operator.version}`, {
    namespaces: namespaces.length > 0 ? namespaces : 'all',
    own,
    healthPort,
    metricsPort,
  });

  // An unresponsive API server must not delay shutdown.
  if ((await Promise.race([required, stopped])) === 'stopped') return exitCodes.stopped.code;
  const controllerHost = { clock, random, transport: instrumented };
  for (const controller of operator.controllers({ ...options, ownNamespace: own }, controllerHost)) {
    running.add(controller);
  }
  if (options.enableWebhooks) stack.use(await startWebhooks(operator, options, context));
  const end = await Promise.race([started(running, stopped), deposed.promise]);
  log.info(end === 'stopped' ? 'shutting down' : 'leadership lost; shutting down', {});
  await running.stop();
  return exitCodes[end].code;
}

async function started<E>(running: Manager, end: Promise<E>): Promise<E> {
  await Promise.race([running.start(), end]);
  return end;
}

/** Loaded on demand: it costs start-up time and memory. */
async function tracingOf({ name, version }: Pick<Operator, 'name' | 'version'>): Promise<Tracing> {
  const { openTelemetry } = await import('../observability/open-telemetry.ts');
  return openTelemetry(name, version);
}

function processLog({ clock, output, environment }: ProcessHost, options: OperatorOptions): Logger {
  const { zapDevel, zapLogLevel, zapEncoder } = options;
  const coloured = output.isTerminal && (environment['NO_COLOR'] ?? '') === '';
  const forPeople = (entry: LogEntry) => terminalLine(entry, coloured);
  const line = zapDevel || zapEncoder === 'console' ? forPeople : jsonLine;
  return logger({ clock, level: zapDevel ? 'debug' : zapLogLevel, write: (entry) => output.write(`${line(entry)}\n`) });
}

function printAndExit({ print }: Pick<ProcessHost, 'print'>, text: string): number {
  print(text);
  return exitCodes.stopped.code;
}

const standardFlags = { '-h, --help': 'print this help and exit', '--version': 'print the version and exit' };

function help({ name, description }: Pick<Operator, 'name' | 'description'>, flags: Flags): string {
  const codes = Object.values(exitCodes).map(
    ({ code, description: meaning }) => `  ${String(code).padStart(3)}  ${meaning}`,
  );
  return [
    `Usage: ${name} [flags]`,
    '',
    description,
    '',
    flagsHelp(flags, standardFlags),
    '',
    'Exit codes:',
    ...codes,
  ].join('\n');
}
