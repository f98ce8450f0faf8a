import type { Manifest } from '../manifests/manifest.ts'

/** Names and addresses that are reserved for documentation (RFC 2606, RFC 5737). */
const example = /\bexample\.(com|org|net)\b|\.invalid\b|\b(192\.0\.2|198\.51\.100|203\.0\.113)\.\d/

/**
 * Returns the values of the manifests that are examples, which an operator has to replace: `host is api.example.com`.
 */
export function exampleValues(manifests: readonly Manifest[]): string[] {
  const found = manifests.flatMap((manifest) => findExamples(manifest, ''))
  return [...new Set(found)].sort()
}

function findExamples(value: unknown, key: string): string[] {
  // The ranges that processes must not reach contain those of the documentation; files have comments.
  if (typeof value === 'string')
    return key !== 'except' && example.test(value) && !value.includes('\n') ? [`${key} is ${value}`] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => findExamples(field, Array.isArray(value) ? key : name))
}
