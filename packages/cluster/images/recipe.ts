// SPDX-License-Identifier: Apache-2.0

/** A user of an image, as in /etc/passwd. */
export interface ImageUser {
  name: string;
  uid: number;
  gid: number;
  home: string;
}

/** A file of Forge in an image. */
export interface ImageFile {
  source: URL;
  mode: number;
}

/** A root file system of Debian packages, their dependencies, and a few files of Forge. */
export interface RootRecipe {
  name: string;
  /** The root that this one extends; its packages, user, folders and files need not be listed again. */
  base?: RootRecipe;
  /** The Debian release of its packages. Default: that of the base, else that of this machine. */
  release?: string;
  packages: readonly string[];
  user?: ImageUser;
  directories?: readonly string[];
  files?: Readonly<Record<string, ImageFile>>;
}

/**
 * A Python virtual environment mounted at `path`, built from the wheels that `lock`, by default `locks/<name>.txt`,
 * locks for `requirements`.
 */
export interface VenvRecipe {
  name: string;
  path: string;
  requirements: readonly string[];
  lock?: URL;
  files?: Readonly<Record<string, ImageFile>>;
}

/** A program in JavaScript, bundled with its imports when the image is assembled; Node is mounted separately. */
export interface ProgramRecipe {
  name: string;
  /** The folder of the bundle in the image. */
  path: string;
  /** The program's source. */
  entry: URL;
}

/** How an image is assembled, and its configuration. */
export interface Recipe {
  /** `repository:tag`, where a trailing `*` matches anything. */
  references: readonly string[];
  /** The image that this one extends: its root is the base of this root, and its layers are mounted, too. */
  base?: Recipe;
  root: RootRecipe;
  venv?: VenvRecipe;
  program?: ProgramRecipe;
  env: Readonly<Record<string, string>>;
  entrypoint: readonly string[];
  cmd: readonly string[];
}
