// SPDX-License-Identifier: Apache-2.0
import { duplicate, invalidValue, required, unsupported, type FieldError } from '@forge/kube/errors/field-error.ts';
import { policyNameMessage, policySourceMessage, policyValueMessage } from '../api/extensions.ts';
import type { Keystone } from '../api/keystone.ts';
import { logFormats, loggerNameMessage, logLevels } from '../api/logging.ts';

/** Errors in what is written to configuration files: duplicate sections, policies without a rule, invalid log levels. */
export function configErrors({ spec }: Keystone): FieldError[] {
  const { plugins = [], middleware = [], policyOverrides, logging } = spec;
  return [
    ...repeated(
      'spec.middleware',
      'name',
      middleware.map(({ name }) => name),
    ),
    ...repeated(
      'spec.plugins',
      'configSection',
      plugins.map(({ configSection }) => configSection),
    ),
    ...(policyOverrides === undefined ? [] : policyErrors(policyOverrides)),
    ...loggingErrors(logging),
  ];
}

function repeated(list: string, key: string, values: readonly string[]): FieldError[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [duplicate(`${list}[${index}].${key}`, value)] : [];
  });
}

function policyErrors({ rules = {}, configMapRef }: NonNullable<Keystone['spec']['policyOverrides']>): FieldError[] {
  const entries = Object.entries(rules);
  if (entries.length === 0 && configMapRef === undefined)
    return [required('spec.policyOverrides', policySourceMessage)];
  return entries.flatMap(([name, rule]) => {
    if (name === '') return [invalidValue('spec.policyOverrides.rules', name, policyNameMessage)];
    return rule === '' ? [invalidValue(`spec.policyOverrides.rules[${name}]`, rule, policyValueMessage)] : [];
  });
}

const isLevel = (text: string) => logLevels.some((each) => each === text);

function loggingErrors({ format, level, perLoggerLevels = {} }: Keystone['spec']['logging']): FieldError[] {
  return [
    ...(logFormats.includes(format) ? [] : [unsupported('spec.logging.format', format, logFormats)]),
    ...(isLevel(level) ? [] : [unsupported('spec.logging.level', level, logLevels)]),
    ...Object.entries(perLoggerLevels).flatMap(([logger, value]) => {
      if (logger === '') return [invalidValue('spec.logging.perLoggerLevels', logger, loggerNameMessage)];
      const message = `level must be one of ${logLevels.join(', ')}`;
      return isLevel(value) ? [] : [invalidValue(`spec.logging.perLoggerLevels[${logger}]`, value, message)];
    }),
  ];
}
