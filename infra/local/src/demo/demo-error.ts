/** An expected error that ends the demo. Printed as one line. */
export class DemoError extends Error {
  override readonly name = 'DemoFailure'
}
