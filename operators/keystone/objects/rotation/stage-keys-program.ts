// SPDX-License-Identifier: Apache-2.0
import type { RotationPaths } from './scripts.ts';

/** The program that writes rotated keys and the time into the staging Secret, in one request. */
export const stageKeysProgram = ({
  serviceAccount,
  api,
}: Pick<
  RotationPaths,
  'serviceAccount' | 'api'
>) => `"""Writes rotated keys, and when that was, into the staging Secret."""
import base64
import datetime
import json
import os
import ssl
import sys
import urllib.error
import urllib.request

ACCOUNT = ${JSON.stringify(serviceAccount)}
API = ${JSON.stringify(api)}


def content(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def send(method, body=None):
    url = "{}/api/v1/namespaces/{}/secrets/{}".format(API, os.environ["SECRET_NAMESPACE"], os.environ["SECRET_NAME"])
    headers = {"Authorization": "Bearer " + content(ACCOUNT, "token").decode().strip(), "Accept": "application/json"}
    data = None
    if body is not None:
        headers["Content-Type"] = "application/strategic-merge-patch+json"
        data = json.dumps(body).encode()
    context = ssl.create_default_context(cafile=os.path.join(ACCOUNT, "ca.crt"))
    # The API server is never behind a proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    try:
        with opener.open(urllib.request.Request(url, data, headers, method=method), timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        sys.exit("Secret update failed: {} {}".format(error.code, error.read().decode(errors="replace")))
    except OSError as error:
        sys.exit("Secret update failed: {}".format(error))


def main(keys, noun):
    staged = {name: base64.b64encode(content(keys, name)).decode() for name in os.listdir(keys) if name.isdigit()}
    # A patch merges: what an earlier, rejected rotation left is taken away.
    leftovers = {name: None for name in send("GET").get("data") or {}}
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")
    annotations = {"forge.c5c3.io/rotation-completed-at": now}
    send("PATCH", {"metadata": {"annotations": annotations}, "data": {**leftovers, **staged}})
    print(noun + " keys staging Secret updated successfully")


main(*sys.argv[1:])
`;
