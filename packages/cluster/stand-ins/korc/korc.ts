// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds, seconds } from '@forge/runtime/environment/duration.ts';
import type { StandIn } from '../stand-in.ts';
import { writingAs } from '../writing-as.ts';
import type { Actuator } from './actuator.ts';
import { applicationCredentialActuator } from './application-credential-actuator.ts';
import { authenticatedClients, type AuthenticatedClients } from './authenticated-clients.ts';
import { endpointActuator, serviceActuator } from './catalog-actuators.ts';
import { deletionGuardController, type Referrer } from './deletion-guard.ts';
import { domainActuator, userActuator } from './identity-actuators.ts';
import type { KeystoneHttp } from './identity.ts';
import type { KorcObject } from './korc-object.ts';
import { resourceController } from './resource-controller.ts';

/** One kind: its controller, and the kinds that it guards. */
interface Part {
  kind: Kind<KorcObject>;
  readonly controller: (clients: AuthenticatedClients) => Controller;
  readonly guards: (target: Kind) => Referrer;
}

function part<T extends KorcObject>(actuator: Actuator<T>, targets: readonly Kind<KorcObject>[]): Part {
  const { kind } = actuator;
  return {
    kind,
    controller: (clients) => resourceController(actuator, clients, targets),
    guards: (target) => ({
      kind,
      names: (object) =>
        actuator
          .references(object as T)
          .filter((reference) => reference.kind === target)
          .map(({ name }) => name),
    }),
  };
}

const parts = [
  part(domainActuator, []),
  part(userActuator, [Domain]),
  part(applicationCredentialActuator, [User, Service]),
  part(serviceActuator, []),
  part(endpointActuator, [Service]),
];

/** All kinds guard the credentials. */
const credentialGuards = parts.map(({ kind }) => ({
  kind,
  names: ({ spec }: KorcObject) => [spec.cloudCredentialsRef.secretName],
}));

const guardsOf = (target: Kind, kinds: readonly Kind[]) =>
  deletionGuardController(
    target,
    parts.filter(({ kind }) => kinds.includes(kind)).map((each) => each.guards(target)),
  );

/** Emulates K-ORC, with Keystones that are reached by `http`. */
export function korc(http: KeystoneHttp, clock: Clock): StandIn {
  const clients = authenticatedClients(http, clock);
  return {
    name: 'korc',
    kinds: parts.map(({ kind }) => kind),
    controllers: writingAs('manager', [
      ...parts.map(({ controller }) => controller(clients)),
      deletionGuardController(Secret, credentialGuards),
      guardsOf(Domain, [User]),
      guardsOf(User, [ApplicationCredential]),
      guardsOf(Service, [ApplicationCredential, Endpoint]),
    ]),
    backoff: { base: milliseconds(5), cap: seconds(1000) },
  };
}
