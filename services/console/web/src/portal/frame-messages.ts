/** A message to the page that shows the portal in a frame. */
type FrameMessage = { type: 'wp-portal'; event: 'height'; height: number } | { type: 'wp-portal'; event: 'expired' }

/** Sends a message to the page around this one, if it is of one of the origins that the link names; to no other. */
export function postToParent(origins: readonly string[], message: FrameMessage): void {
  if (window.parent === window) return
  // If the browser tells the origin of the parent, no message is sent in vain; the browser drops those itself.
  const parentOrigin = location.ancestorOrigins?.[0]
  for (const origin of origins)
    if (parentOrigin === undefined || parentOrigin === origin) window.parent.postMessage(message, origin)
}

/** Reports the height of the content now and whenever it changes, so that the frame can follow it. */
export function reportHeight(origins: readonly string[], content: Element): () => void {
  let last = 0
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height)
    if (height !== last) postToParent(origins, { type: 'wp-portal', event: 'height', height })
    last = height
  })
  observer.observe(content)
  return () => observer.disconnect()
}
