// SPDX-License-Identifier: Apache-2.0
import { invalid, same, spec, type AdmissionCase } from './admission-case.ts';

const plugin = { name: 'p', configSection: 'keycloak' };
const filter = { name: 'audit', filterFactory: 'audit:factory', position: 'before' };
const levels = '"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"';

/** keystone.conf, plugins, middleware, policies and logging. */
export const configurationCases: readonly AdmissionCase[] = [
  {
    name: 'two plugins for one section',
    change: spec({ plugins: [plugin, { ...plugin, name: 'q' }] }),
    webhook: ['spec.plugins[1].configSection', 'Duplicate value: "keycloak"'],
    schema: ['spec.plugins[1]', 'Duplicate value: {"configSection":"keycloak"}'],
  },
  {
    name: 'two filters of one name',
    change: spec({ middleware: [filter, filter] }),
    webhook: ['spec.middleware[1].name', 'Duplicate value: "audit"'],
    schema: ['spec.middleware[1]', 'Duplicate value: {"name":"audit"}'],
  },
  same('no source of policies', spec({ policyOverrides: {} }), [
    'spec.policyOverrides',
    'Required value: at least one of rules or configMapRef must be set',
  ]),
  {
    name: 'a policy without a name',
    change: spec({ policyOverrides: { rules: { '': 'role:admin' } } }),
    webhook: invalid('spec.policyOverrides.rules', '', 'policy rule name must not be empty'),
    schema: ['spec.policyOverrides', 'policy rule name must not be empty'],
  },
  {
    name: 'a policy without a rule',
    change: spec({ policyOverrides: { rules: { a: '' } } }),
    webhook: invalid(
      'spec.policyOverrides.rules[a]',
      '',
      'policy rule must not be empty; use "@" to allow everybody and "!" to allow nobody',
    ),
    schema: ['spec.policyOverrides', 'policy rule must not be empty'],
  },
  {
    name: 'a layout of logs that nobody knows',
    change: spec({ logging: { format: 'xml' } }),
    webhook: ['spec.logging.format', 'Unsupported value: "xml": supported values: "text", "json"'],
    schema: ['spec.logging.format', 'Unsupported value: "xml": supported values: "text", "json"'],
  },
  {
    name: 'a level that nobody knows',
    change: spec({ logging: { level: 'LOUD' } }),
    webhook: ['spec.logging.level', `Unsupported value: "LOUD": supported values: ${levels}`],
    schema: ['spec.logging.level', `Unsupported value: "LOUD": supported values: ${levels}`],
  },
  {
    name: 'a level for no logger',
    change: spec({ logging: { perLoggerLevels: { '': 'INFO' } } }),
    webhook: invalid('spec.logging.perLoggerLevels', '', 'logger name must not be empty'),
    schema: ['spec.logging.perLoggerLevels', 'logger name must not be empty'],
  },
  {
    name: 'a level of a logger that nobody knows',
    change: spec({ logging: { perLoggerLevels: { sql: 'LOUD' } } }),
    webhook: invalid(
      'spec.logging.perLoggerLevels[sql]',
      'LOUD',
      'level must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL',
    ),
    schema: ['spec.logging.perLoggerLevels.sql', `Unsupported value: "LOUD": supported values: ${levels}`],
  },
];
