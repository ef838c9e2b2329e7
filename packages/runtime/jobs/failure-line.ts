// SPDX-License-Identifier: Apache-2.0

/** Time, process, level, logger and request of a log record, as Python programs write them. */
const recordPrefix =
  /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*(?:\s+\d+)?(?:\s+(?:TRACE|DEBUG|INFO|WARNING|ERROR|CRITICAL)\s+[\w.-]+)?(?:\s+\[[^\]]*\])?\s*/;

/** The first line of an exception's text, for example `oslo_db.exception.DBConnectionError: …`. */
const exception = /^[\w.]*(?:Error|Exception|Exit|Timeout)\b.*:/;

/** What uWSGI says at its end, whatever the reason was. */
const farewell =
  /^(?:\*\*\* no app loaded|OOPS ! failed loading app|.* - need-app requested|SIGINT\/SIGTERM received|gateway "|goodbye to uWSGI)/;

/**
 * The line of a program's last output that says best why it failed: the last exception, else the last line; without the
 * prefix of log records, so that the same failure has the same text every time. Empty when nothing was said.
 */
export function failureLine(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(recordPrefix, '').trimEnd())
    .filter((line) => line !== '' && !farewell.test(line));
  return lines.findLast((line) => exception.test(line)) ?? lines.at(-1) ?? '';
}
