// SPDX-License-Identifier: Apache-2.0
import { definitionName } from '@forge/kube/schema/kind-schema.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';

/** Why a string is not valid for its format (base64, date-time); undefined when it is, or has no format. */
export function textProblem(text: string, schema: Schema): string | undefined {
  if (schema.format === 'byte') return base64Problem(text);
  return schema.format === 'date-time' ? timeProblem(text, definitionName(schema) === 'MicroTime') : undefined;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function base64Problem(text: string): string | undefined {
  if (base64.test(text)) return undefined;
  const bad = text.search(/[^A-Za-z0-9+/]/);
  return `illegal base64 data at input byte ${bad < 0 ? text.length - (text.length % 4) : bad}`;
}

const seconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Times have seconds and optional fractions; a MicroTime has exactly six fractional digits. */
function timeProblem(text: string, precise: boolean): string | undefined {
  const rest = seconds.test(text) ? text.slice('2006-01-02T15:04:05'.length) : undefined;
  const fits = precise ? /^\.\d{6}(?:Z|[+-]\d\d:\d\d)$/ : /^(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
  if (rest !== undefined && fits.test(rest) && Number.isFinite(Date.parse(text))) return undefined;
  const layout = precise ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
  const expected = rest === undefined ? '2006' : precise ? '.000000' : 'Z07:00';
  return `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse ${JSON.stringify(rest ?? text)} as "${expected}"`;
}
