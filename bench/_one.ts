import { benchServer } from './bench-server.ts';
import { deployment, configMap } from './objects.ts';
import { Deployment, ConfigMap } from '@forge/kube/builtin.ts';
const { api } = await benchServer();
const mode = process.argv[2], n = Number(process.argv[3] ?? 5000);
const m = { fieldManager: 'bench', force: true };
await api.apply(Deployment, deployment('x'), m);
await api.patch(Deployment, {namespace:'default',name:'x'}, 'merge', { spec: { paused: false } }, { fieldManager: 'other' });
const s = await api.patch(Deployment, {namespace:'default',name:'x'}, 'merge', { status: { replicas: 3 } }, { subresource: 'status' });
const { managedFields, ...rest } = s.metadata; console.log('bytes', JSON.stringify(s).length, 'without mf', JSON.stringify({...s, metadata: rest}).length);
for (const warm of [true, false]) {
const t = performance.now();
for (let i = 0; i < n; i++) {
  if (mode === 'create') await api.create(Deployment, deployment(`${warm}d${i}`));
  if (mode === 'cm') await api.create(ConfigMap, configMap(`${warm}d${i}`));
  if (mode === 'noop') await api.apply(Deployment, deployment('x'), m);
  if (mode === 'change') await api.apply(Deployment, deployment('x', `k:${warm}${i}`), m);
}
console.log(mode, ((performance.now() - t) * 1000 / n).toFixed(1), 'µs');
}
