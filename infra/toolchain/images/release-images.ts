import { type SignerName, signerNames } from '@wp/contracts'

/** An image that a release ships. */
export interface ReleaseImage {
  name: SignerName | 'platform' | 'demo'
  /** The arguments of `docker build` that select it. */
  buildArguments: readonly string[]
}

/** The images of a release: the one with all services, that of the demo, and one a process. */
export const releaseImages: readonly ReleaseImage[] = [
  { name: 'platform', buildArguments: ['--target', 'platform'] },
  { name: 'demo', buildArguments: ['--target', 'demo'] },
  ...signerNames.map((name) => ({ name, buildArguments: ['--build-arg', `SERVICE=${name}`] })),
]

/** @throws Error if a name is not that of an image */
export function selectImages(names: readonly string[]): readonly ReleaseImage[] {
  const unknown = names.filter((name) => !releaseImages.some((image) => image.name === name))
  if (unknown.length > 0)
    throw new Error(
      `unknown image ${unknown.join(', ')}; there are ${releaseImages.map(({ name }) => name).join(', ')}`,
    )
  return names.length === 0 ? releaseImages : releaseImages.filter(({ name }) => names.includes(name))
}
