/** What is used of highlight.js (`paths` in tsconfig.json). Its own types need a browser's, which hide those of Workers. */
export interface Emitter {
  addText(text: string): void;
  startScope(name: string): void;
  endScope(): void;
  openNode(name: string): void;
  closeNode(): void;
  __addSublanguage(emitter: Emitter, name: string): void;
  finalize(): void;
  toHTML(): string;
}
type Language = { readonly name: string };
declare const hljs: {
  configure(options: { readonly __emitter: new () => Emitter }): void;
  getLanguage(name: string): Language | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly _emitter?: Emitter };
  listLanguages(): string[];
  registerAliases(aliases: readonly string[], options: { readonly languageName: string }): void;
  registerLanguage(name: string, language: (api: object) => object): void;
};
export default hljs;
