/** The reason for which a request is cancelled. Its code says that no browser waits for a response. */
export class BrowserDisconnected extends Error {
  override readonly name = 'BrowserDisconnected'
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE'

  constructor() {
    super('the browser disconnected')
  }
}
