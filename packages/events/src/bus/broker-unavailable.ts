/** The broker cannot be reached now, or was lost while it was asked. What was asked may or may not have happened. */
export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerAway'

  constructor(options?: ErrorOptions) {
    super('the broker is away', options)
  }
}
