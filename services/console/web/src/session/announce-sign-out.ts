const channelName = 'console.sign-out'

/** Tells the other tabs of this browser that the person has signed out. */
export function announceSignOut(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
}

/** Calls a function when another tab signs out. @returns a function that stops it */
export function onSignOutElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = listener
  return () => channel.close()
}
