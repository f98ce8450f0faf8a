import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { setReleaseImage } from '../src/release.ts'

const component = readFileSync(join(import.meta.dirname, '../../../k8s/components/release/kustomization.yaml'), 'utf8')
const digest = `sha256:${'0a'.repeat(32)}`

describe('setReleaseImage', () => {
  it('names the image by digest and keeps the broker and the comments', () => {
    const changed = setReleaseImage(component, `registry.company.test:5000/platform@${digest}`)
    expect(parse(changed).images).toEqual([
      { name: 'workspace-platform', newName: 'registry.company.test:5000/platform', digest },
      parse(component).images[1],
    ])
    expect(changed.match(/^ *#/gm)).toHaveLength(component.match(/^ *#/gm)?.length ?? 0)
  })

  it('keeps the tag beside the digest', () => {
    const [image] = parse(setReleaseImage(component, `registry.company.test/platform:2.0.0@${digest}`)).images
    expect(image).toMatchObject({ newName: 'registry.company.test/platform', newTag: '2.0.0', digest })
  })

  it('changes an overlay that is built on production', () => {
    const overlay = 'images:\n  - { name: registry.example.com/workspace-platform, newName: old, newTag: 1.0.0 }\n'
    const [image] = parse(setReleaseImage(overlay, `new@${digest}`)).images
    expect(image).toEqual({ name: 'registry.example.com/workspace-platform', newName: 'new', digest })
  })

  it.each([
    ['an image without a digest', component, 'registry.company.test/platform:2.0.0', 'has no digest'],
    ['a kustomization without images', 'resources: []\n', `new@${digest}`, 'has no image'],
  ])('rejects %s', (_title, kustomization, image, problem) => {
    expect(() => setReleaseImage(kustomization, image)).toThrow(problem)
  })
})
