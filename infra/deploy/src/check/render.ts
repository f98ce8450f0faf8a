import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findKustomize } from '@wp/testkit/kustomize'
import { parseAllDocuments } from 'yaml'
import type { Manifest } from '../manifests/manifest.ts'

const root = join(import.meta.dirname, '../../../../k8s')

/** The names of the overlays. */
export const overlays = ['local', 'sandbox', 'production', 'two-cells'] as const

/** Renders an overlay with kustomize. @throws Error with the output of kustomize if it fails */
export const renderOverlay = (overlay: string): Promise<Manifest[]> => render(join(root, 'overlays', overlay))

/** Renders a folder that contains a kustomization. */
export async function render(folder: string): Promise<Manifest[]> {
  const { file, args } = await findKustomize()
  const { stdout } = await promisify(execFile)(file, [...args, folder], { maxBuffer: 64 * 1024 ** 2 })
  return parseManifests(stdout)
}

/** @throws Error if the text is malformed YAML or has a duplicate key */
export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    for (const error of document.errors) throw error
    return document.toJS() as Manifest // the schema check reports missing fields
  })
