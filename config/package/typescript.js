// Lets Node.js load TypeScript, by `--import` or import. The cache of tsx is off: its folder has a predictable name in the
// temporary directory, where another user could create it. So is its lookup of tsconfig.json from the working directory
// upwards: `paths` of such a file would replace modules.

process.env.TSX_DISABLE_CACHE = '1'
const { register } = await import('tsx/esm/api')
register({ tsconfig: false })
