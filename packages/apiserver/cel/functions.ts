// SPDX-License-Identifier: Apache-2.0
import { addresses } from './library/addresses.ts';
import { authorizations } from './library/authorizations.ts';
import { conversions } from './library/conversions.ts';
import { namedFormats } from './library/formats.ts';
import { lists } from './library/lists.ts';
import { operators } from './library/operators.ts';
import { optionals } from './library/optionals.ts';
import { quantities } from './library/quantities.ts';
import { regexes } from './library/regexes.ts';
import { semvers } from './library/semvers.ts';
import { sets } from './library/sets.ts';
import { strings } from './library/strings.ts';
import { times } from './library/times.ts';
import { urls } from './library/urls.ts';

/** Everything that rules can call, as Kubernetes 1.36 offers it to them, by name. */
export const functions = Map.groupBy(
  [
    ...operators,
    ...conversions,
    ...strings,
    ...lists,
    ...sets,
    ...optionals,
    ...times,
    ...regexes,
    ...urls,
    ...quantities,
    ...addresses,
    ...namedFormats,
    ...semvers,
    ...authorizations,
  ],
  ({ name }) => name,
);
