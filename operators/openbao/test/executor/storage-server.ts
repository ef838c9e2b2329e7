import { once } from 'node:events';
// SPDX-License-Identifier: Apache-2.0
import { createServer, type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  GetObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Namespace, Pod, Secret, Service } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { signalPod } from '@forge/testing/programs/pod-processes.ts';
import type { ProcessCluster } from '@forge/testing/programs/process-cluster.ts';

/** SeaweedFS in a pod, with one bucket. */
export interface StorageServer extends AsyncDisposable {
  /** As pods reach it. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Bytes by key. */
  objects(): Promise<Map<string, number>>;
  /** Whether somebody is storing something in parts. */
  isReceiving(): Promise<boolean>;
  put(key: string, content: string): Promise<void>;
  get(key: string): Promise<Buffer>;
  /** Kills it; it starts again, with its data. */
  kill(): Promise<void>;
}

const namespace = 'storage';
const name = 's3';
const port = 8333;
const bucket = 'snapshots';

/** Credentials by what they may do. */
export const accounts = {
  writer: { accessKeyId: 'AKIAWRITER', secretAccessKey: 'canary-of-the-writer' },
  reader: { accessKeyId: 'AKIAREADER', secretAccessKey: 'canary-of-the-reader' },
  stranger: { accessKeyId: 'AKIASTRANGER', secretAccessKey: 'canary-of-a-stranger' },
  admin: { accessKeyId: 'AKIAADMIN', secretAccessKey: 'canary-of-the-admin' },
} as const;

const identity = (who: keyof typeof accounts, actions: readonly string[]) => ({
  name: who,
  credentials: [{ accessKey: accounts[who].accessKeyId, secretKey: accounts[who].secretAccessKey }],
  actions,
});

const identities = [
  identity('admin', ['Admin', 'Read', 'List', 'Write']),
  identity('writer', [`Read:${bucket}`, `List:${bucket}`, `Write:${bucket}`]),
  identity('reader', [`Read:${bucket}`, `List:${bucket}`]),
];

/** Starts it; resolves once the bucket is there. */
export async function startStorage({ client, node }: Pick<ProcessCluster, 'client' | 'node'>): Promise<StorageServer> {
  const metadata = { name, namespace };
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    stringData: { 's3.json': JSON.stringify({ identities }) },
  });
  await client.create(Service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: { app: name }, ports: [{ port }] },
  });
  await client.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name,
          image: 'chrislusf/seaweedfs:4.48',
          args: [
            'server',
            '-dir=/data',
            '-s3',
            `-s3.port=${port}`,
            '-s3.config=/etc/seaweedfs/s3.json',
            '-volume.max=20',
          ],
          volumeMounts: [
            { name: 'data', mountPath: '/data' },
            { name: 'tmp', mountPath: '/tmp' },
            { name: 'config', mountPath: '/etc/seaweedfs' },
          ],
          readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
        },
      ],
      volumes: [
        { name: 'data', emptyDir: {} },
        { name: 'tmp', emptyDir: {} },
        { name: 'config', secret: { secretName: name } },
      ],
    },
  });

  // The signature covers the host, so that any address will do.
  const forwarder = createServer((socket) => {
    void node
      .dial(`${name}.${namespace}.svc`, port)
      .then((upstream) => pipeline(socket, upstream, socket))
      .catch(() => socket.destroy());
  });
  forwarder.listen(0, '127.0.0.1');
  await once(forwarder, 'listening');
  const local = (forwarder.address() as AddressInfo).port;
  const s3 = new S3Client({
    endpoint: `http://127.0.0.1:${local}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: accounts.admin,
  });
  await eventually('the bucket is there', () =>
    s3.send(new CreateBucketCommand({ Bucket: bucket })).then(
      () => true,
      (error: Error) => error.name.startsWith('BucketAlready'),
    ),
  );
  return {
    endpoint: `http://${name}.${namespace}.svc:${port}`,
    bucket,
    async objects() {
      const { Contents: found = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
      return new Map(found.map(({ Key: key = '', Size: size = 0 }) => [key, size]));
    },
    async isReceiving() {
      const { Uploads: uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
      return uploads.length > 0;
    },
    async put(key, content) {
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content }));
    },
    async get(key) {
      const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return Buffer.from((await body?.transformToByteArray()) ?? []);
    },
    kill: () => signalPod(name, 'weed', 'SIGKILL'),
    async [Symbol.asyncDispose]() {
      s3.destroy();
      forwarder.close();
      await once(forwarder, 'close');
    },
  };
}
