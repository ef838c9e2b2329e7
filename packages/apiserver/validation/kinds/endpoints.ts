// SPDX-License-Identifier: Apache-2.0
import { isIPv4 } from 'node:net';
import type {
  EndpointAddress,
  CoreEndpointPort,
  EndpointSubset,
  ParentReference,
  ServiceCIDRSpec,
  Endpoint,
  EndpointPort,
} from '@forge/kube/generated/types.ts';
import type { Endpoints, IPAddress, ServiceCIDR, EndpointSlice } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { addressProblem, reachableProblem, parseNetwork, networkProblem } from '../../formats/address-problem.ts';
import { parseIp } from '../../formats/ip-text.ts';
import { dnsLabelProblem, subdomainProblem, qualifiedNameProblem, pathSegmentProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { protocols } from '../pods/container-rules.ts';
import { fields, each, given, validation, change, all, fixed } from '../rule.ts';
import { text, requiredOneOf, requiredText, portNumber, required, oneOf } from '../value-rules.ts';

const endpointAddress = fields<EndpointAddress>({
  ip: (ip = '', at) => {
    const problem = addressProblem(ip);
    if (problem !== undefined) at.invalid(ip, problem);
    const unreachable = problem === undefined ? reachableProblem(ip) : 'must be a valid IP address';
    // Unlike elsewhere, kube-apiserver names the address in this message.
    if (unreachable !== undefined) at.invalid(ip, unreachable.replace('0.0.0.0 or ::', ip));
  },
  hostname: text(dnsLabelProblem),
  nodeName: text(subdomainProblem),
});

function portOf(isNamed: boolean): Rule<CoreEndpointPort> {
  return fields<CoreEndpointPort>({
    name: isNamed ? requiredText(dnsLabelProblem) : text(dnsLabelProblem),
    port: portNumber,
    protocol: requiredOneOf('SCTP', 'TCP', 'UDP'),
    appProtocol: text(qualifiedNameProblem),
  });
}

const subset: Rule<EndpointSubset> = given(({ addresses = [], notReadyAddresses = [], ports = [] }, at) => {
  if (addresses.length + notReadyAddresses.length === 0) {
    at.required('must specify `addresses` or `notReadyAddresses`');
  }
  at.inside('addresses', addresses, each(endpointAddress));
  at.inside('notReadyAddresses', notReadyAddresses, each(endpointAddress));
  at.inside('ports', ports, each(portOf(ports.length > 1)));
});

/** Validates Endpoints. */
export const validateEndpoints = validation<Endpoints>(fields({ subsets: each(subset) }));

const parentRef: Rule<ParentReference> = (parent, at) => {
  if (parent === undefined) at.required();
  else {
    fields<ParentReference>({
      group: text(subdomainProblem),
      resource: requiredText(pathSegmentProblem),
      name: requiredText(pathSegmentProblem),
      namespace: text(pathSegmentProblem),
    })(parent, at);
  }
};

/** Validates an IPAddress; parentRef is immutable. */
export const validateIPAddress = validation<IPAddress>(
  fields({ spec: fields({ parentRef }) }),
  change('spec', ({ parentRef: parent }, before, at) => {
    if (jsonEqual(parent, before.parentRef)) return;
    const { group = '', resource, namespace = '', name } = parent;
    // kube-apiserver prints Go field names here.
    at.immutable({ Group: group, Resource: resource, Namespace: namespace, Name: name }, 'parentRef');
  }),
);

/** A CIDR must not have host bits set. */
function hostBitsProblem(network: string): string | undefined {
  const [address = ''] = network.split('/');
  const [parsed, whole] = [parseNetwork(network), parseIp(address)];
  if (parsed === undefined || whole === undefined) return undefined;
  const hostBits = BigInt(whole.bits - parsed.length);
  return parsed.prefix << hostBits === whole.value ? undefined : 'must not have bits set beyond the prefix length';
}

const cidrs: Rule<readonly string[]> = (list = [], at) => {
  if (list.length === 0) at.required('at least one CIDR required');
  else if (list.length > 2) at.invalid({ CIDRs: list }, 'may only hold up to 2 values');
  else {
    each(text(networkProblem, hostBitsProblem))(list, at);
    const [first, second] = list.map((cidr) => parseNetwork(cidr)?.family);
    if (first !== undefined && first === second) {
      at.invalid(list, 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64');
    }
  }
};

/** Validates a ServiceCIDR; cidrs are immutable, but a second family can be added. */
export const validateServiceCIDR = validation<ServiceCIDR>(
  fields({ spec: fields<ServiceCIDRSpec>({ cidrs }) }),
  change('spec', ({ cidrs: list = [] }, { cidrs: before = [] }, at) => {
    if (list.length !== before.length && !(before.length === 1 && list.length === 2)) at.immutable(list, 'cidrs');
    else {
      for (const [index, cidr] of before.entries()) {
        if (!jsonEqual(cidr, list[index])) at.immutable(list[index], `cidrs[${index}]`);
      }
    }
  }),
);

function endpointOf(type: string): Rule<Endpoint> {
  return fields<Endpoint>({
    addresses: (list = [], at) => {
      if (list.length === 0) at.required('must contain at least 1 address');
      for (const [index, address] of list.entries()) {
        if (type === 'FQDN') at.inside(index, address, text(subdomainProblem));
        else if (addressProblem(address) !== undefined) at.inside(index, address, text(addressProblem));
        else {
          if (isIPv4(address) !== (type === 'IPv4')) at.invalid(address, `must be an ${type} address`);
          at.inside(index, address, text(reachableProblem));
        }
      }
    },
  });
}

const endpointPort = fields<EndpointPort>({ name: text(dnsLabelProblem), protocol: requiredOneOf(...protocols) });

/** A missing port name counts as empty. */
const uniquePortNames: Rule<readonly EndpointPort[]> = (list = [], at) => {
  const seen = new Set<string>();
  for (const [index, { name = '' }] of list.entries()) {
    if (seen.has(name)) at.inside(index, name, () => at.duplicate(name, 'name'));
    seen.add(name);
  }
};

/** Validates an EndpointSlice. */
export const validateEndpointSlice = validation<EndpointSlice>(
  all<EndpointSlice>(
    fields({ addressType: all<string>(required(), oneOf('FQDN', 'IPv4', 'IPv6')) }),
    given((slice, at) => {
      if (!['FQDN', 'IPv4', 'IPv6'].includes(slice.addressType)) return;
      at.inside('endpoints', slice.endpoints, each(endpointOf(slice.addressType)));
    }),
    fields({ ports: all(each(endpointPort), uniquePortNames) }),
  ),
  fixed('addressType'),
);
