import { benchServer } from './bench-server.ts';
import { deployment } from './objects.ts';
import { Deployment } from '@forge/kube/builtin.ts';
const { api } = await benchServer();
const s = await api.create(Deployment, deployment('x'));
const text = JSON.stringify(s); const {managedFields, ...m} = s.metadata; const mfText = JSON.stringify(managedFields); const plain = JSON.stringify({...s, metadata: m});
function deepFreeze(value: any): any {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}
function deepFreeze2(value: any): any {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) { for (let i=0;i<value.length;i++) { const v = value[i]; if (typeof v === 'object' && v !== null) deepFreeze2(v);} }
  else for (const key of Object.keys(value)) { const v = value[key]; if (typeof v === 'object' && v !== null) deepFreeze2(v); }
  return Object.freeze(value);
}
function count(v: any): number { if (typeof v !== 'object' || v === null) return 0; let n = 1; for (const k in v) n += count(v[k]); return n; }
function walk(v: any): number { if (typeof v !== 'object' || v === null) return 0; let n = 1; for (const k in v) n += walk(v[k]); return n; }
for (let r = 0; r < 3; r++)
for (const [name, t] of [['whole', text], ['managed', mfText], ['plain', plain]] as const) {
  const N = 3000; const objs = Array.from({length: N}, () => JSON.parse(t)); 
  let a = performance.now(); for (const o of objs) walk(o); const w = (performance.now() - a) * 1000 / N;
  a = performance.now(); for (const o of objs) deepFreeze(o); const f1 = (performance.now() - a) * 1000 / N;
  const objs2 = Array.from({length: N}, () => JSON.parse(t));
  a = performance.now(); for (const o of objs2) deepFreeze2(o); const f2 = (performance.now() - a) * 1000 / N;
  a = performance.now(); for (let i = 0; i < N; i++) JSON.stringify(objs[i]); const st = (performance.now() - a) * 1000 / N;
  a = performance.now(); for (let i = 0; i < N; i++) JSON.parse(t); const ps = (performance.now() - a) * 1000 / N;
  console.log(name, 'nodes', count(objs[0]), 'walk', w.toFixed(1), 'freeze', f1.toFixed(1), 'freeze2', f2.toFixed(1), 'stringify frozen', st.toFixed(1), 'parse', ps.toFixed(1));
}
