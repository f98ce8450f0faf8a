import { isMap, isSeq, parseDocument } from 'yaml'

/**
 * Returns the kustomization with another image of the platform, comments included. Every node runs an image that is
 * named by digest, also if its tag is moved, so others are refused.
 * @throws Error if the image has no digest, or if the kustomization has no image of the platform
 */
export function setReleaseImage(kustomization: string, image: string): string {
  const [, newName, newTag, digest] = /^([^@\s]+?)(?::([\w][\w.-]*))?@(sha256:[0-9a-f]{64})$/.exec(image) ?? []
  if (newName === undefined || digest === undefined)
    throw new Error(`${image} has no digest; name the image as <registry>/<name>@sha256:<digest>`)
  const document = parseDocument(kustomization)
  const images = document.get('images')
  const entry = isSeq(images)
    ? images.items.filter(isMap).find((each) => /(^|\/)workspace-platform$/.test(String(each.get('name'))))
    : undefined
  if (entry === undefined) throw new Error('the kustomization has no image whose name ends with workspace-platform')
  entry.set('newName', newName)
  if (newTag === undefined) entry.delete('newTag')
  else entry.set('newTag', newTag)
  entry.set('digest', digest)
  return document.toString({ lineWidth: 120 })
}
