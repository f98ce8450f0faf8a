/** What ends the demo early: a line for whoever runs it. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure'
}
