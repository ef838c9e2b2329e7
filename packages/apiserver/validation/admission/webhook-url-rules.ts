// SPDX-License-Identifier: Apache-2.0
import { subdomainProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { given } from '../rule.ts';

const form = '; desired format: https://host[/path]';

/** Validates the URL of a webhook: HTTPS, host and path. */
export const webhookUrl: Rule<string> = given((url, at) => {
  const [, scheme = '', authority = '', query = '', fragment = ''] =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(url) ?? [];
  const [, user, host = ''] = /^(?:(.*)@)?(.*)$/.exec(authority) ?? [];
  if (scheme !== 'https') at.invalid(scheme, `'https' is the only allowed URL scheme${form}`);
  if (host === '') at.invalid(host, `host must be specified${form}`);
  if (user !== undefined) at.invalid(user, 'user information is not permitted in the URL');
  if (fragment !== '') at.invalid(fragment, 'fragments are not permitted in the URL');
  if (query !== '') at.invalid(query, 'query parameters are not permitted in the URL');
});

/** Validates the path of a webhook behind a Service. */
export const webhookPath: Rule<string> = given((path, at) => {
  if (path === '' || path === '/') return;
  if (path === '//') {
    at.invalid(path, 'segment[0] may not be empty');
    return;
  }
  if (!path.startsWith('/')) at.invalid(path, "must start with a '/'");
  for (const [index, step] of path.slice(1).replace(/\/$/, '').split('/').entries()) {
    const problem = subdomainProblem(step);
    if (step === '') at.invalid(path, `segment[${index}] may not be empty`);
    else if (problem !== undefined) at.invalid(path, `segment[${index}]: ${problem}`);
  }
});
