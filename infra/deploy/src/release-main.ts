// npm run k8s:release -- <image> [file]: names the image of a release by digest in a kustomization, by default in the
// component that every overlay uses. An overlay in a repository of your own has its own list of images.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setReleaseImage } from './release.ts'

const [image, file = join(import.meta.dirname, '../../../k8s/components/release/kustomization.yaml'), ...more] =
  process.argv.slice(2)

try {
  if (image === undefined || more.length > 0)
    throw new Error('usage: npm run k8s:release -- <registry>/<name>[:<tag>]@sha256:<digest> [<kustomization.yaml>]')
  writeFileSync(file, setReleaseImage(readFileSync(file, 'utf8'), image))
  process.stdout.write(`${file}: ${image}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
