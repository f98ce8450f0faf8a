import type { Manifest } from '../manifests/manifest.ts'
import { availabilityProblems } from './availability.ts'
import { hardeningProblems, operatorImageProblems } from './hardening.ts'
import { missingPolicyProblems } from './network-reachability.ts'
import { type ExternalObjects, referenceProblems } from './references.ts'
import { schemaProblems } from './schema.ts'
import { titleOf, workloadsOf } from './workloads.ts'

/**
 * Everything that is wrong with the manifests of an environment. First each by itself, held against its schema; where
 * that is right, all of them together.
 * @param contract Secrets and ConfigMaps that are there beside them
 */
export async function findProblems(manifests: readonly Manifest[], contract: ExternalObjects): Promise<string[]> {
  const wrong = await Promise.all(
    manifests.map(async (manifest) =>
      (await schemaProblems(manifest)).map((problem) => `${titleOf(manifest)}: ${problem}`),
    ),
  )
  if (wrong.some(({ length }) => length > 0)) return wrong.flat()
  const workloads = workloadsOf(manifests)
  return [
    ...workloads.flatMap(hardeningProblems),
    ...manifests.flatMap(operatorImageProblems),
    ...workloads.flatMap(availabilityProblems),
    ...referenceProblems(manifests, contract),
    ...missingPolicyProblems(manifests),
  ]
}
