import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findKustomize } from '@wp/testkit'
import { parseAllDocuments } from 'yaml'
import type { Manifest } from '../manifests/manifest.ts'

const root = join(import.meta.dirname, '../../../../k8s')

/** The overlays that there are. */
export const overlays = ['local', 'sandbox', 'production', 'two-cells'] as const

/** The manifests of an overlay, as `kubectl kustomize` gives them. @throws with its words where it cannot */
export const renderOverlay = (overlay: string): Promise<Manifest[]> => render(join(root, 'overlays', overlay))

/** The same of any folder with a kustomization. */
export async function render(folder: string): Promise<Manifest[]> {
  const { file, args } = await findKustomize()
  const { stdout } = await promisify(execFile)(file, [...args, folder], { maxBuffer: 64 * 1024 ** 2 })
  return parseManifests(stdout)
}

/** @throws where it is no YAML, or has a key twice */
export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    for (const error of document.errors) throw error
    return document.toJS() as Manifest // what has no such fields is told so by its schema
  })
