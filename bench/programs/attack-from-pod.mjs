// SPDX-License-Identifier: Apache-2.0
await import('./attack-from-pod.ts');
