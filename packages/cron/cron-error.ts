// SPDX-License-Identifier: Apache-2.0

interface CronErrorOptions {
  /** The whole expression. */
  expression: string;
  /** Which part of it is wrong: `hour`, `time zone`, `descriptor` … */
  field: string;
  /** That part's text. */
  value: string;
  /** What is wrong, as Kubernetes reports it. */
  reason: string;
  /** What would be right. */
  remedy: string;
}

/** A cron expression that cannot be parsed; the message names the expression, the field, its value and the remedy. */
export class CronError extends Error {
  override readonly name = 'CronError';
  readonly expression: string;
  readonly field: string;
  readonly value: string;
  readonly reason: string;

  constructor({ expression, field, value, reason, remedy }: CronErrorOptions) {
    super(`schedule ${JSON.stringify(expression)}: ${field} ${JSON.stringify(value)}: ${reason}; ${remedy}`);
    this.expression = expression;
    this.field = field;
    this.value = value;
    this.reason = reason;
  }
}
