// SPDX-License-Identifier: Apache-2.0
import { addresses } from '@forge/apiserver/cel/library/addresses.ts';
import { authorizations } from '@forge/apiserver/cel/library/authorizations.ts';
import { conversions } from '@forge/apiserver/cel/library/conversions.ts';
import { namedFormats } from '@forge/apiserver/cel/library/formats.ts';
import { lists } from '@forge/apiserver/cel/library/lists.ts';
import { operators } from '@forge/apiserver/cel/library/operators.ts';
import { optionals } from '@forge/apiserver/cel/library/optionals.ts';
import { quantities } from '@forge/apiserver/cel/library/quantities.ts';
import { regexes } from '@forge/apiserver/cel/library/regexes.ts';
import { semvers } from '@forge/apiserver/cel/library/semvers.ts';
import { sets } from '@forge/apiserver/cel/library/sets.ts';
import { strings } from '@forge/apiserver/cel/library/strings.ts';
import { times } from '@forge/apiserver/cel/library/times.ts';
import { urls } from '@forge/apiserver/cel/library/urls.ts';

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
