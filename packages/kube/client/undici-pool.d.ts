// SPDX-License-Identifier: Apache-2.0

// The only part of undici that is used; loading all of it takes twice the memory and time.
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}
