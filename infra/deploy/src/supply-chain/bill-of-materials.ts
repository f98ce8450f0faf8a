import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root, runPnpm } from './pnpm.ts'

/** A part of the CycloneDX format, version 1.7. */
interface Component {
  type: string
  name: string
  version: string
  purl: string
  'bom-ref'?: string
  hashes?: { alg: string; content: string }[]
}

export interface BillOfMaterials {
  bomFormat: 'CycloneDX'
  specVersion: string
  components: Component[]
}

/**
 * Returns the bill of materials of the image: the packages that the Dockerfile installs, its base image, and the image
 * of the broker. The packages of Debian in the base image are in the attestation that BuildKit adds to the image.
 * @throws Error if pnpm fails
 */
export function createBillOfMaterials(): BillOfMaterials {
  const dockerfile = readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8')
  const { code, output } = runPnpm([
    ...['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'],
    ...['--prod', '--no-optional', '--lockfile-only', ...productionFilters(dockerfile)],
  ])
  const start = output.indexOf('{')
  if (code !== 0 || start < 0) throw new Error(`pnpm sbom failed: ${output}`)
  const packages: BillOfMaterials = JSON.parse(output.slice(start))
  return { ...packages, components: [...packages.components, baseImage(dockerfile), brokerImage()] }
}

/** Returns the filters with which the stage `dependencies` of the Dockerfile installs. */
export function productionFilters(dockerfile: string): string[] {
  const [stage = ''] = /^FROM pnpm AS dependencies$.*?^FROM /ms.exec(dockerfile) ?? []
  return [...stage.matchAll(/--filter-prod '([^']+)'/g)].flatMap(([, filter = '']) => ['--filter-prod', filter])
}

function baseImage(dockerfile: string): Component {
  const [, name = '', version = ''] = /^FROM (\S+):(\S+) AS node$/m.exec(dockerfile) ?? []
  return { type: 'container', name, version, purl: `pkg:docker/${name}@${version}` }
}

function brokerImage(): Component {
  const file = join(root, 'k8s/chart/values.yaml')
  const { nats }: { nats: { image: string } } = parse(readFileSync(file, 'utf8'))
  const [, version = '', digest = ''] = /^nats:([^@]+)@(sha256:[0-9a-f]{64})$/.exec(nats.image) ?? []
  if (digest === '') throw new Error(`${file} has no image of the broker with a digest`)
  return {
    type: 'container',
    name: 'nats',
    version,
    purl: `pkg:docker/nats@${encodeURIComponent(digest)}?tag=${version}`,
    hashes: [{ alg: 'SHA-256', content: digest.replace('sha256:', '') }],
  }
}
