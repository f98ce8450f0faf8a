import { availabilityProblems } from './availability.ts'
import { connectionProblems } from './connections.ts'
import { hardeningProblems, operatorImageProblems } from './hardening.ts'
import type { Manifest } from './manifest.ts'
import { missingPolicyProblems } from './network-reachability.ts'
import { type ExternalObjects, referenceProblems } from './references.ts'
import { schemaProblems } from './schema.ts'
import { titleOf, workloadsOf } from './workloads.ts'

/**
 * Returns the problems of the manifests of an environment: violations of the schemas, or if there are none, problems of
 * hardening, availability, references, network policies and database connections.
 * @param external Secrets and ConfigMaps that exist outside the manifests
 */
export async function findProblems(manifests: readonly Manifest[], external: ExternalObjects): Promise<string[]> {
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
    ...referenceProblems(manifests, external),
    ...missingPolicyProblems(manifests),
    ...connectionProblems(manifests),
  ]
}
