// SPDX-License-Identifier: Apache-2.0
import type { Container, ContainerPort } from '@forge/kube/generated/types.ts';
import { dnsLabelProblem, portNameProblems } from '../../formats/names.ts';
import type { Inspection } from '../inspection.ts';
import { all, each, fields, unique } from '../rule.ts';
import { requiredText, oneOf, portNumber, text } from '../value-rules.ts';
import { variable, variables } from './environment-rules.ts';
import { probes } from './probe-rules.ts';
import { resources } from './resource-rules.ts';
import { checkMounts } from './volume-rules.ts';

/** Port protocols. */
export const protocols = ['SCTP', 'TCP', 'UDP'];

const port = fields<ContainerPort>({
  name: text(portNameProblems),
  containerPort: (number = 0, at) => {
    if (number === 0) at.required();
    else portNumber(number, at);
  },
  hostPort: (number = 0, at) => {
    if (number !== 0) portNumber(number, at);
  },
  protocol: oneOf(...protocols),
});

function paddedProblem(image: string): string | undefined {
  return image.trim() === image ? undefined : 'must not have leading or trailing whitespace';
}

const beforeMounts = fields<Container>({
  name: requiredText(dnsLabelProblem),
  image: requiredText(paddedProblem),
  terminationMessagePolicy: oneOf('File', 'FallbackToLogsOnError'),
  ports: all(each(port), unique('name')),
  env: each(variable),
  envFrom: variables,
});

const afterMounts = all<Container>(
  fields({ imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'), resources }),
  probes,
  fields({ restartPolicy: oneOf('Always', 'Never', 'OnFailure') }),
);

/** Validates a container of a pod with these volumes. */
export function checkContainer(container: Container, volumes: ReadonlySet<string>, at: Inspection): void {
  beforeMounts(container, at);
  at.inside('volumeMounts', container.volumeMounts, (mounts = []) => checkMounts(mounts, volumes, at));
  afterMounts(container, at);
}
