/** The style of every page, in light and dark. */
export const style = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --back: #f4f5f7; --card: #fff; --line: #d5d9df; --accent: #1a4fd6; --on-accent: #fff; --warn: #9a3412 }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --quiet: #a3abb5; --back: #111418; --card: #1a1e24; --line: #343b45; --accent: #8fb0ff; --on-accent: #0c1a3d; --warn: #fdba74 } }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); margin: 0; padding: clamp(1rem, 8vh, 5rem) 1rem }
main { max-width: 28rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .75rem; overflow-wrap: anywhere }
h2 { font-size: 1rem; margin: 1.25rem 0 .4rem }
p { margin: .5rem 0; overflow-wrap: anywhere }
a { color: var(--accent) }
ul { margin: .4rem 0; padding-left: 1.2rem }
li { margin: .2rem 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem .75rem; margin: .75rem 0; padding: .75rem; border: 1px solid var(--line); border-radius: 8px }
dt { color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere }
label { display: block; font-weight: 600; margin: 1rem 0 .3rem }
label.choice { font-weight: 400; display: flex; gap: .6rem; align-items: baseline; margin: .3rem 0; overflow-wrap: anywhere }
fieldset { border: 0; margin: 0; padding: 0 }
legend { font-weight: 600; padding: 0; margin: 1.25rem 0 .3rem }
input:not([type=radio]):not([type=hidden]) { font: inherit; width: 100%; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px; padding: .6rem .75rem }
input.code { font-size: 1.4rem; letter-spacing: .3em }
.actions { display: flex; gap: .75rem; margin-top: 1.25rem }
button, a.button { font: inherit; font-weight: 600; display: block; flex: 1; width: 100%; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; padding: .6rem 1rem; margin-top: 1rem; cursor: pointer }
.actions button { margin-top: 0 }
button.plain, a.button { color: var(--text); background: transparent; border-color: var(--line) }
button.link { display: inline; width: auto; margin: 0; padding: 0; border: 0; font-weight: 400; color: var(--accent); background: none; text-decoration: underline }
:is(button, a, input):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.quiet { color: var(--quiet); font-size: .875rem }
.warning { color: var(--warn) }
`
