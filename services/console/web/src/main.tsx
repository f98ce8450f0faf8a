import '@fontsource-variable/inter/wght.css'
import './theme/tokens.css'
import './theme/base.css'
import { startApp } from './app.tsx'
import { reloadOnStaleBuild } from './reload-on-stale-build.ts'
import { startTheme } from './theme/theme.ts'

startTheme()
reloadOnStaleBuild()
startApp()
