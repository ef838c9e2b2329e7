// SPDX-License-Identifier: Apache-2.0
import { int32, text, type TextRule } from '@forge/kube/schema/field.ts';
import { Type, type TSchema } from 'typebox';

/** A field of `spec.telemetry`, and its attribute in the stanza where that is not its name in snake case. */
interface TelemetryField {
  readonly description: string;
  /** Default: text. */
  readonly type?: 'bool' | 'int' | 'texts';
  readonly attribute?: string;
  /** What each of its texts must look like. Default: anything. */
  readonly each?: TextRule;
  /** Written when it is false, too: absent means true to the server. */
  readonly trueByDefault?: true;
}

/** The server exits when it cannot read one. */
const filterRule: TextRule = {
  pattern: '^[+-]',
  maxLength: 256,
  message: 'must begin with + or -: whether metrics with this prefix are published, for example -vault.expire',
};

/** Every setting, in the order of the stanza. */
export const telemetryFields = {
  usageGaugePeriod: { description: 'How often usage gauges are collected, for example 10m, or none.' },
  maximumGaugeCardinality: { type: 'int', description: 'How many labels a usage gauge may have.' },
  disableHostname: { type: 'bool', description: 'Whether gauges are named without the host name.' },
  enableHostnameLabel: { type: 'bool', description: 'Whether the host name is a label of every metric.' },
  metricsPrefix: { description: 'Prefix of all metrics.' },
  leaseMetricsEpsilon: { description: 'Size of the buckets of lease expiry, for example 1h.' },
  numLeaseMetricsBuckets: { type: 'int', description: 'How many buckets of lease expiry there are.' },
  addLeaseMetricsNamespaceLabels: {
    type: 'bool',
    description: 'Whether lease expiry is counted by namespace, too, which makes more metrics.',
  },
  filterDefault: {
    type: 'bool',
    trueByDefault: true,
    description: 'Whether metrics that no prefix of prefixFilter matches are published; true when absent.',
  },
  prefixFilter: {
    type: 'texts',
    each: filterRule,
    description:
      'Prefixes of metrics, each after + when those are published, or - when not, for example -vault.expire.',
  },
  prometheusRetentionTime: { description: 'How long metrics are kept for Prometheus, for example 24h; 0s for none.' },
  statsiteAddress: { description: 'Host and port of a statsite server.' },
  statsdAddress: { description: 'Host and port of a statsd server.' },
  dogStatsdAddress: { attribute: 'dogstatsd_addr', description: 'Host and port of a DogStatsD server.' },
  dogStatsdTags: {
    type: 'texts',
    attribute: 'dogstatsd_tags',
    description: 'Tags of every packet to DogStatsD, as name:value.',
  },
  circonusAPIKey: {
    attribute: 'circonus_api_token',
    description:
      'API token of Circonus. The server reads it from its configuration only, so it is readable in the ConfigMap.',
  },
  circonusAPIApp: { attribute: 'circonus_api_app', description: 'Application of that token.' },
  circonusAPIURL: { attribute: 'circonus_api_url', description: 'URL of the Circonus API.' },
  circonusSubmissionInterval: { description: 'How often metrics are sent to Circonus, for example 10s.' },
  circonusSubmissionURL: {
    attribute: 'circonus_submission_url',
    description: 'URL that an existing check receives metrics at; needs no token.',
  },
  circonusCheckID: { attribute: 'circonus_check_id', description: 'ID of an existing check.' },
  circonusCheckForceMetricActivation: { description: 'Whether inactive metrics are activated: true or false.' },
  circonusCheckInstanceID: { attribute: 'circonus_check_instance_id', description: 'ID of the instance in the check.' },
  circonusCheckSearchTag: { description: 'Tag to find an existing check by.' },
  circonusCheckDisplayName: { description: 'Name of the check for people.' },
  circonusCheckTags: { description: 'Tags of the check, separated by commas.' },
  circonusBrokerID: { attribute: 'circonus_broker_id', description: 'ID of the broker for a new check.' },
  circonusBrokerSelectTag: { description: 'Tag to find a broker by.' },
  stackdriverProjectID: { attribute: 'stackdriver_project_id', description: 'Google Cloud project of the metrics.' },
  stackdriverLocation: { description: 'Region of the monitored resource.' },
  stackdriverNamespace: { description: 'Namespace of the monitored resource.' },
  stackdriverDebugLogs: { type: 'bool', description: 'Whether the log of the server has details of what is sent.' },
} as const satisfies Readonly<Record<string, TelemetryField>>;

function schemaOf({ description, type, each }: TelemetryField): TSchema {
  switch (type) {
    case 'bool':
      return Type.Boolean({ description });
    case 'int':
      return int32(description, { minimum: 0 });
    case 'texts':
      return Type.Array(
        each === undefined ? Type.String({ description: 'One tag.', maxLength: 256 }) : text(each, 'One prefix.'),
        { description, maxItems: 64 },
      );
    case undefined:
    default:
      return Type.String({ description, maxLength: 2048 });
  }
}

/** The attribute that a field becomes. */
export const telemetryAttribute = (field: string, { attribute }: TelemetryField): string =>
  attribute ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Metrics of the server. */
export const telemetry = Type.Object(
  Object.fromEntries(
    Object.entries(telemetryFields).map(([name, field]) => [name, Type.Optional(schemaOf(field))]),
  ) as Record<keyof typeof telemetryFields, ReturnType<typeof Type.Optional<TSchema>>>,
  { description: 'Metrics of the server, and where they are sent.' },
);
