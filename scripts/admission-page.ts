// SPDX-License-Identifier: Apache-2.0

/** What is refused, as the tests of an operator observe it. */
interface Refusal {
  readonly name: string;
  readonly webhook: readonly [field: string, message: string];
  /** What the schema says; undefined when it cannot say the rule. */
  readonly schema: readonly [field: string, part: string] | undefined;
}

/** What the admission of a kind does. */
interface Admission {
  readonly kind: string;
  readonly refused: readonly Refusal[];
  /** Refusals that the rows do not show. */
  readonly further: readonly string[];
  /** An example of every warning. */
  readonly warnings: readonly string[];
}

/** The reference page of what is refused and warned of, printed from the rows that the tests observe. */
export function admissionPage({ kind, refused, further, warnings }: Admission): string {
  const lines = refused.map(({ name, webhook: [field, message], schema }) => {
    const by = schema === undefined ? ' Only by the webhook.' : '';
    return `- ${name}: \`${field}: ${message}\`.${by}`;
  });
  return [
    `# Admission of a ${kind}`,
    'What is refused, as the webhook words it, with the value of an example. The schema refuses it as well, webhook or not,' +
      ' unless noted. All errors are reported at once.',
    [...lines, ...further].join('\n'),
    '## Warnings',
    'What is allowed and warned of, by the webhook only.',
    warnings.map((warning) => `- \`${warning}\``).join('\n'),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
