// SPDX-License-Identifier: Apache-2.0
import { recordingsIn } from '@forge/apiserver/conformance/recordings.ts';

/** The recordings of what the cases observed on a real cluster. */
export const {
  fileOf: recordingFile,
  read: readRecording,
  write: writeRecording,
} = recordingsIn(new URL('./recorded/', import.meta.url));
