// SPDX-License-Identifier: Apache-2.0
import { goLogContinuation, goLogRecord } from './go-log-record.ts';

/** Time, process, level, logger and request of a log record, as Python programs write them. */
const recordPrefix =
  /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*(?:\s+\d+)?(?:\s+(?:TRACE|DEBUG|INFO|WARNING|ERROR|CRITICAL)\s+[\w.-]+)?(?:\s+\[[^\]]*\])?\s*/;

/** The first line of an exception's text, for example `oslo_db.exception.DBConnectionError: …`. */
const exception = /^[\w.]*(?:Error|Exception|Exit|Timeout)\b.*:/;

/** With what OpenBao ends when it cannot start, for example `error loading configuration from …: …`. */
const startError = /^error (?:loading|initializing|configuring|parsing) .*:/i;

/** What uWSGI says at its end, whatever the reason was; what OpenBao says at its start and end. */
const farewell =
  /^(?:\*\*\* no app loaded|OOPS ! failed loading app|.* - need-app requested|SIGINT\/SIGTERM received|gateway "|goodbye to uWSGI|==> )/;

/** A line of the settings that OpenBao prints at its start, which are aligned at their colons. */
const bannerLine = /^ {2,}[A-Z][\w ]*: /;

/** How well a line explains a failure; 0 for not at all. */
interface RankedLine {
  readonly rank: 0 | 1 | 2 | 3;
  readonly text: string;
}

/**
 * The line of a program's last output that says best why it failed: the last exception or start error, else the last record of
 * an error, else the last line; without the prefix of log records, so that the same failure has the same text every time. Empty
 * when nothing was said, or nothing but what a program logs while all is well.
 */
export function failureLine(output: string): string {
  const lines = joinedLines(output).map(rankedLine);
  const best = Math.max(0, ...lines.map(({ rank }) => rank));
  return best === 0 ? '' : (lines.findLast(({ rank }) => rank === best)?.text ?? '');
}

/** The lines, each with those that continue it. */
function joinedLines(output: string): string[] {
  const joined: string[] = [];
  for (const line of output.split('\n')) {
    const last = joined.at(-1);
    const more = last === undefined || goLogRecord(last) === undefined ? undefined : goLogContinuation(line);
    if (more === undefined) joined.push(line);
    else if (more !== '') joined[joined.length - 1] = `${last}${last?.endsWith('=') === true ? '' : ' '}${more}`;
  }
  return joined;
}

function rankedLine(line: string): RankedLine {
  const record = goLogRecord(line);
  if (record !== undefined) {
    const { level, text } = record;
    if (level === 'error') return { rank: 2, text };
    // Warnings about settings are no reason; a failure that is tried again is logged as one.
    return { rank: level === 'warn' && / err(?:or)?=/.test(text) ? 1 : 0, text };
  }
  const text = line.replace(recordPrefix, '').trimEnd();
  if (text === '' || farewell.test(text) || bannerLine.test(text)) return { rank: 0, text };
  return { rank: exception.test(text) || startError.test(text) ? 3 : 1, text };
}
