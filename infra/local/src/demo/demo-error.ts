/** What ends the demo early: a line for whoever runs it. */
export class DemoError extends Error {
  override readonly name = 'DemoFailure'
}
