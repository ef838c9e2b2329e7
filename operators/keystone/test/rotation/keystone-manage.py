#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the commands of keystone-manage that rotation uses, on a folder of keys and a table of rows in a file.

A row is the key it is encrypted with. CRASH_AFTER kills the calling script after that command, FAIL lets a command fail.
"""
import base64
import json
import os
import signal
import sys

command = sys.argv[-1]
keys_folder, table = os.environ["KEYS"], os.environ["TABLE"]


def path(name):
    return os.path.join(keys_folder, str(name))


def key(index):
    with open(path(index)) as file:
        return file.read()


def indices():
    return sorted(int(name) for name in os.listdir(keys_folder) if name.isdigit())


def rotate(max_active_keys):
    os.rename(path(0), path(max(indices()) + 1))
    if os.environ.get("FAIL") == "half":
        sys.exit(3)
    with open(path(0), "w") as file:
        file.write(base64.urlsafe_b64encode(os.urandom(32)).decode())
    while len(indices()) > max_active_keys:
        os.remove(path(indices()[1]))


with open(table) as file:
    rows = json.load(file)
print(command, file=sys.stderr)
if os.environ.get("FAIL") == command:
    sys.exit(7)
if command == "fernet_rotate":
    # As oslo.config does: upper case only.
    rotate(int(os.environ.get("OS_FERNET_TOKENS__MAX_ACTIVE_KEYS", "3")))
elif command == "credential_rotate":
    if any(row != key(indices()[-1]) for row in rows):
        sys.exit(1)
    rotate(3)
elif command == "credential_migrate":
    known = [key(index) for index in indices()]
    if any(row not in known for row in rows):
        sys.exit(1)
    with open(table, "w") as file:
        json.dump([key(indices()[-1]) for row in rows], file)
else:
    sys.exit(2)
if os.environ.get("CRASH_AFTER") == command:
    os.kill(os.getppid(), signal.SIGKILL)
