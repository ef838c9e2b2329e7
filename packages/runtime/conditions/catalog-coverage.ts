// SPDX-License-Identifier: Apache-2.0
import type { ConditionCase, ConditionCatalog, CatalogObserver, EventCase, Recheck } from './condition-catalog.ts';
import { engineConditions } from './engine-cases.ts';

/** Compares the conditions and Events observed in a test run with the catalog. */
export interface CatalogCoverage {
  observer: CatalogObserver;
  /** What was observed and is not in the catalog, and what is in the catalog and was never observed. */
  differences: () => string[];
}

/** Coverage of a catalog, nothing observed yet. */
export function catalogCoverage(catalog: ConditionCatalog): CatalogCoverage {
  const conditions = [...engineConditions(catalog.ready), ...catalog.conditions];
  const expected = [...conditions.filter(({ unobserved }) => unobserved === undefined), ...catalog.events];
  const inverse = new Set(catalog.conditions.filter((each) => each.inverse === true).map(({ type }) => type));
  const known = new Set<string>();
  const unknown = new Set<string>();

  function note<R extends ConditionCase | EventCase>(
    cases: readonly R[],
    observed: R,
    matches: (definition: R) => boolean,
  ): void {
    const matching = cases.filter((definition) => matches(definition) && patternOf(definition).test(observed.message));
    if (matching.length === 0) unknown.add(textOf(observed));
    for (const text of matching.map(textOf)) known.add(text);
  }

  return {
    observer: {
      condition(observed) {
        note(
          conditions,
          observed,
          ({ type, status, reason, recheck }) =>
            (type === '*' || type === observed.type) &&
            observed.status === (type === '*' && inverse.has(observed.type) ? opposite[status] : status) &&
            reason === observed.reason &&
            isRecheck(recheck, observed.recheck),
        );
      },
      event(observed) {
        note(catalog.events, observed, ({ type, reason }) => type === observed.type && reason === observed.reason);
      },
    },

    differences: () => [
      ...[...unknown].map((text) => `not in the catalog: ${text}`),
      ...expected
        .map(textOf)
        .filter((text) => !known.has(text))
        .map((text) => `never observed: ${text}`),
    ],
  };
}

/** The messages that a case allows. */
function patternOf(definition: ConditionCase | EventCase): RegExp {
  const parts = definition.message.split(/\{\w+\}/).map((part) => RegExp.escape(part));
  const suffix = 'suffix' in definition ? '(: .*)?' : '';
  return new RegExp(`^${parts.join('.*')}${suffix}$`, 's');
}

/** The status of what is not as it should be, in a condition that should be False. */
const opposite = { True: 'False', False: 'True', Unknown: 'Unknown' } as const;

/** Whether a case allows this recheck; a computed one may be any duration, or none. */
function isRecheck(allowed: Recheck | undefined, observed: Recheck | undefined): boolean {
  return allowed === 'computed' ? observed !== 'backoff' : allowed === observed;
}

function textOf(definition: ConditionCase | EventCase): string {
  const { type, reason, message } = definition;
  const head = 'status' in definition ? `condition ${type}=${definition.status}` : `Event ${type}`;
  const recheck = 'recheck' in definition ? definition.recheck : undefined;
  const tail =
    typeof recheck === 'number' ? `, recheck after ${recheck / 1000} s` : recheck === undefined ? '' : `, ${recheck}`;
  return `${head} ${reason} ${JSON.stringify(message)}${tail}`;
}
