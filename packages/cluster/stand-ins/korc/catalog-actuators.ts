// SPDX-License-Identifier: Apache-2.0
import { Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import { collection, driftOf, present, type Actuator } from './actuator.ts';

const services = collection('services', 'service');
const endpoints = collection('endpoints', 'endpoint');

const serviceName = ({ metadata, spec }: Service) => spec.resource?.name ?? metadata.name;

/** Services of the catalog; one with the same name and type is adopted. */
export const serviceActuator: Actuator<Service> = {
  kind: Service,
  references: () => [],
  filterReferences: () => [],
  get: ({ identity }, id) => services.get(identity, id),
  listForImport: ({ identity, object }) => services.list(identity, { ...object.spec.import?.filter }),
  listForAdoption: ({ identity, object }) =>
    services.list(identity, { name: serviceName(object), type: object.spec.resource?.type }),
  create({ identity, object }) {
    const { type, description, enabled = true } = object.spec.resource ?? {};
    return services.create(identity, { name: serviceName(object), enabled, ...present({ type, description }) });
  },
  async update({ identity, object }, remote) {
    const { type, description = '', enabled = true } = object.spec.resource ?? {};
    const changes = driftOf({ name: serviceName(object), type, description, enabled }, remote);
    if (changes !== undefined) await services.update(identity, remote.id, changes);
    return changes !== undefined;
  },
  delete: ({ identity }, { id }) => services.delete(identity, id),
  observe: ({ name, type, description, enabled }) => present({ name, type, description, enabled }),
};

/** Endpoints of the catalog; one with the same service, interface and URL is adopted. */
export const endpointActuator: Actuator<Endpoint> = {
  kind: Endpoint,
  references: ({ spec }) => (spec.resource === undefined ? [] : [{ kind: Service, name: spec.resource.serviceRef }]),
  filterReferences: ({ spec }) => {
    const name = spec.import?.filter?.serviceRef;
    return name === undefined ? [] : [{ kind: Service, name }];
  },
  get: ({ identity }, id) => endpoints.get(identity, id),
  async listForImport({ identity, object }, dependencies) {
    const { interface: facing, serviceRef, url } = object.spec.import?.filter ?? {};
    const query = { interface: facing, service_id: dependencies.idOf(Service, serviceRef) };
    return (await endpoints.list(identity, query)).filter((each) => url === undefined || each['url'] === url);
  },
  async listForAdoption({ identity, object }, dependencies) {
    const { interface: facing, serviceRef, url } = object.spec.resource ?? {};
    const query = { interface: facing, service_id: dependencies.idOf(Service, serviceRef) };
    return (await endpoints.list(identity, query)).filter((each) => each['url'] === url);
  },
  create({ identity, object }, dependencies) {
    const { interface: facing, url, serviceRef, description, enabled } = object.spec.resource ?? {};
    const service = dependencies.idOf(Service, serviceRef);
    return endpoints.create(identity, present({ interface: facing, url, service_id: service, description, enabled }));
  },
  async update({ identity, object }, remote) {
    const { interface: facing, url, enabled = true } = object.spec.resource ?? {};
    const changes = driftOf({ url, interface: facing, enabled }, remote);
    if (changes !== undefined) await endpoints.update(identity, remote.id, changes);
    return changes !== undefined;
  },
  delete: ({ identity }, { id }) => endpoints.delete(identity, id),
  observe: ({ url, interface: facing, service_id: serviceID, description, enabled }) =>
    present({ url, interface: facing, serviceID, description, enabled }),
};
