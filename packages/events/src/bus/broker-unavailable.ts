/** Thrown when the broker is unreachable or the connection broke during a request, which may have been executed. */
export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerUnavailable'

  constructor(options?: ErrorOptions) {
    super('the broker is unavailable', options)
  }
}
