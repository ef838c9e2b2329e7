// SPDX-License-Identifier: Apache-2.0

/** The messages of an error and of its causes in one line, without stack traces. */
export function errorText(error: unknown): string {
  const texts: string[] = [];
  // Bounded, because nothing keeps an error from being its own cause.
  for (let next = error, depth = 0; next !== undefined && depth < 8; depth += 1) {
    const text = ownText(next)
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim();
    if (text !== '' && !texts.some((outer) => outer.includes(text))) texts.push(text);
    next = next instanceof Error ? next.cause : undefined;
  }
  return texts.join(': ');
}

function ownText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message || (error instanceof AggregateError ? error.errors.map(errorText).join(', ') : '');
  if (message === '') return error.name;
  return error.name === 'Error' ? message : `${error.name}: ${message}`;
}
