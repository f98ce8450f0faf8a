import type { Manifest } from '../manifests/manifest.ts'
import { hardeningProblems, operatedProblems } from './hardening.ts'
import { titleOf, workloadsOf } from './pods.ts'
import { type Contract, referenceProblems } from './references.ts'
import { runningProblems } from './running.ts'
import { schemaProblems } from './schema.ts'
import { withoutPolicy } from './ways.ts'

/**
 * Everything that is wrong with the manifests of an environment. First each by itself, held against its schema; where
 * that is right, all of them together.
 * @param contract Secrets and ConfigMaps that are there beside them
 */
export async function problemsOf(manifests: readonly Manifest[], contract: Contract): Promise<string[]> {
  const wrong = await Promise.all(
    manifests.map(async (manifest) =>
      (await schemaProblems(manifest)).map((problem) => `${titleOf(manifest)}: ${problem}`),
    ),
  )
  if (wrong.some(({ length }) => length > 0)) return wrong.flat()
  const workloads = workloadsOf(manifests)
  return [
    ...workloads.flatMap(hardeningProblems),
    ...manifests.flatMap(operatedProblems),
    ...workloads.flatMap(runningProblems),
    ...referenceProblems(manifests, contract),
    ...withoutPolicy(manifests),
  ]
}
