/** The style sheet of sites. It is part of each page, and the policy allows exactly this text by its hash. */
import { makeShades } from "../../domain/accent.ts";
import { encodeBase64 } from "../../lib/bytes.ts";
import type { SiteFont } from "../../domain/site.ts";

const SERIF = `"Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L","Source Serif 4",P052,Georgia,"Noto Serif",serif`;
const SANS = `system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif`;

const SHEET = `
:root{color-scheme:light dark;--paper:#fdfcf9;--shade:#f3f1ec;--ink:#1d1c1a;--soft:#5f5b55;--line:#dcd8d0;--key:#8f2468;--str:#34621c;--num:#8a4500;--name:#1d5799;--type:#65399e;--gone:#a3271c;--measure:36rem;--wide:62rem}
@media (prefers-color-scheme:dark){:root{--paper:#17191c;--shade:#23262b;--ink:#e9e6e0;--soft:#aaa59c;--line:#383c42;--key:#f0a3cb;--str:#a8d28c;--num:#f0b97c;--name:#93c4f6;--type:#cbb4f7;--gone:#ffa198}}
*,::before,::after{box-sizing:border-box}
html{font-size:106.25%;-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font-family:var(--text);line-height:1.62;font-kerning:normal;text-rendering:optimizeLegibility;overflow-wrap:anywhere}
img{max-width:100%;height:auto;display:block}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.18em}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:2px}
::selection{background:var(--accent);color:var(--paper)}
h1,h2,h3,h4,h5,h6{font-family:var(--head);line-height:1.18;text-wrap:balance;margin:0;font-weight:700;letter-spacing:-.012em}
.skip{position:absolute;inset-inline-start:1rem;top:-6rem;background:var(--paper);padding:.6rem 1rem;z-index:1}
.skip:focus{top:1rem}
.wrap{max-width:var(--wide);margin-inline:auto;padding-inline:clamp(1.1rem,4vw,2.5rem)}
.meta,.top nav,.foot,.kicker,.langs,.pages,.more,.toc,.q,.origin,figcaption{font-family:var(--ui);font-size:.82rem;line-height:1.5}
.top{border-block-end:1px solid var(--line)}
.top .wrap{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.35rem 2rem;padding-block:1.05rem}
.name{font-family:var(--head);font-weight:700;font-size:1.16rem;letter-spacing:-.01em;color:inherit;text-decoration:none}
.bare .name:not(:focus-visible){position:absolute;clip-path:inset(50%)}
.bare ul{justify-content:flex-end}.bare nav{margin-inline-start:auto}
.name:hover{color:var(--accent)}
.name img{max-height:2.4rem;width:auto;max-width:14rem}
ul.row{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.15rem 1.35rem}
.row a{color:inherit;text-decoration:none;display:inline-block;padding-block:.34rem}
.row a:hover,.row [aria-current]{color:var(--accent)}
.row [aria-current]{font-weight:600}
main{display:block;padding-block:clamp(2rem,5vw,3.6rem) 4rem}
.hero{margin-block-end:clamp(2.4rem,6vw,4rem)}
.hero h1{font-size:clamp(2.3rem,1.5rem + 3.4vw,3.9rem);letter-spacing:-.028em;line-height:1.06}
.hero p{font-size:clamp(1.05rem,1rem + .5vw,1.3rem);color:var(--soft);margin:.9rem 0 0;max-width:34rem;text-wrap:pretty}
.hero img{width:100%;max-height:27rem;object-fit:cover;border-radius:4px;margin-block-start:2.2rem}
.hero .who{width:6rem;height:6rem;border-radius:50%;margin:0 0 1.2rem}
.list{list-style:none;margin:0;padding:0}
.list li{display:grid;grid-template-columns:1fr auto;gap:.3rem clamp(1.2rem,4vw,3rem);align-items:start;border-block-start:1px solid var(--line);padding-block:1.9rem}
.list li:first-child{border:0;padding-block-start:0}
.list h2{font-size:clamp(1.36rem,1.2rem + .75vw,1.72rem)}
.list h2 a,.arch a,.next a{color:inherit;text-decoration:none}
.list h2 a:hover,.arch a:hover,.next a:hover{color:var(--accent);text-decoration:underline}
.list p{margin:.55rem 0 0;max-width:var(--measure);text-wrap:pretty}
.list .meta{margin-block:.6rem 0}
.thumb img{width:clamp(6.2rem,23vw,14.5rem);aspect-ratio:4/3;object-fit:cover;border-radius:4px;background:var(--shade)}
.lead li:first-child{grid-template-columns:1fr}
.lead li:first-child h2{font-size:clamp(1.85rem,1.4rem + 2vw,2.75rem);letter-spacing:-.02em}
.lead li:first-child .thumb{order:-1;margin-block-end:1.1rem}
.lead li:first-child .thumb img{width:100%;aspect-ratio:21/10}
.lead li:first-child p{font-size:1.1rem}
.lead li:first-child .meta{font-size:.82rem}
.meta{color:var(--soft);display:flex;flex-wrap:wrap;gap:.1rem .9rem}
.kicker{margin:0 0 .8rem;font-weight:600;display:flex;flex-wrap:wrap;column-gap:.9rem}
.kicker a{text-decoration:none;padding-block:.3rem}
.kicker a:hover{text-decoration:underline}
.head{max-width:var(--measure);margin-inline:auto}
.head h1{font-size:clamp(2.1rem,1.45rem + 2.9vw,3.35rem);letter-spacing:-.026em;line-height:1.09}
.stand{font-size:clamp(1.14rem,1.05rem + .45vw,1.34rem);line-height:1.5;color:var(--soft);margin:1.1rem 0 0;text-wrap:pretty}
.head .meta{margin-block-start:1.3rem}
.head .meta b{color:var(--ink);font-weight:600}
.head .meta b a{color:inherit}
.cover{margin:clamp(1.8rem,4vw,2.8rem) 0 0}
.cover img:not([width]){aspect-ratio:16/9}
.cover img{width:100%;max-height:36rem;object-fit:cover;border-radius:4px;background:var(--shade)}
.toc{max-width:var(--measure);margin:2.4rem auto 0;background:var(--shade);border-radius:4px;padding:.2rem 1.1rem}
.toc summary{cursor:pointer;font-weight:600;padding-block:.65rem}
.toc ol{margin:0 0 .9rem;padding:0;list-style:none}
.toc a{color:inherit;text-decoration:none;display:block;padding-block:.26rem}
.toc a:hover{color:var(--accent);text-decoration:underline}
.toc .l3{padding-inline-start:1.2rem}
.prose{margin-block-start:clamp(2rem,4vw,2.8rem);hanging-punctuation:first last;hyphens:auto;hyphenate-limit-chars:9 4 4}
.prose>*{max-width:var(--measure);margin:1.25em auto 0}
.prose>:first-child{margin-block-start:0}
.prose h2{font-size:1.56rem;margin-block-start:2.1em}
.prose h3{font-size:1.23rem;margin-block-start:1.8em}
.prose :is(h4,h5,h6){font-size:1rem;margin-block-start:1.7em}
.prose :is(h2,h3,h4,h5,h6)+*{margin-block-start:.6em}
.prose :is(h1,h2,h3,h4,h5,h6,pre,code,table){hyphens:manual}
.prose li{margin-block:.38em}
.prose :is(ul,ol){padding-inline-start:1.5em}
.prose li::marker{color:var(--soft);font-variant-numeric:tabular-nums}
.prose .contains-task-list{list-style:none;padding-inline-start:0}
.prose blockquote{margin-block:2em 0;padding:.1em 0 .1em 1.4em;padding-inline:1.4em 0;border-inline-start:3px solid var(--accent);font-size:1.2rem;line-height:1.48;font-style:italic}
:is(:lang(ja),:lang(zh),:lang(ko),:lang(ar),:lang(he)) blockquote{font-style:normal}
.prose blockquote>:first-child{margin-block-start:0}
.prose blockquote>:last-child{margin-block-end:0}
.prose p>img:only-child,.prose figure img{width:auto;margin-inline:auto;border-radius:4px}
.prose>p:has(>img:only-child){max-width:46rem;margin-block:2.2em 0}
.prose>p:has(>img:only-child)+p:has(>em:only-child){font-family:var(--ui);font-size:.82rem;line-height:1.5;color:var(--soft);margin-block-start:.7em;text-align:center}
.prose :is(code,kbd){font:.84em/1.5 ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;background:var(--shade);border-radius:3px;padding:.12em .32em;direction:ltr;unicode-bidi:isolate}
.prose pre{background:var(--shade);border-radius:4px;padding:1.05rem 1.2rem;overflow-x:auto;max-width:44rem;line-height:1.55;direction:ltr;text-align:left;tab-size:2}
.prose pre code{background:none;padding:0;font-size:.82rem}
.hljs-comment,.hljs-quote{color:var(--soft);font-style:italic}
.hljs-keyword,.hljs-selector-tag,.hljs-template-tag,.hljs-doctag{color:var(--key)}
.hljs-string,.hljs-regexp,.hljs-addition,.hljs-code,.hljs-char{color:var(--str)}
.hljs-number,.hljs-literal,.hljs-symbol,.hljs-bullet,.hljs-meta,.hljs-link{color:var(--num)}
.hljs-title,.hljs-section,.hljs-name,.hljs-selector-id,.hljs-selector-class{color:var(--name)}
.hljs-type,.hljs-built_in,.hljs-attr,.hljs-attribute,.hljs-property,.hljs-variable,.hljs-template-variable,.hljs-selector-attr,.hljs-selector-pseudo{color:var(--type)}
.hljs-deletion{color:var(--gone)}
.hljs-subst{color:var(--ink)}
.hljs-emphasis{font-style:italic}
.hljs-strong,.hljs-section{font-weight:600}
.prose .table{max-width:46rem;overflow-x:auto;margin-block-start:1.9em}
table{border-collapse:collapse;overflow-wrap:break-word;margin-inline:auto;min-width:min(100%,var(--measure));font:.88rem/1.45 var(--ui);font-variant-numeric:lining-nums tabular-nums}
th,td{padding:.5rem .9rem;vertical-align:top;border-block-end:1px solid var(--line)}
th{font-weight:600;border-block-end:2px solid var(--ink)}
th:where(:not([align])){text-align:start}
.prose hr{border:0;margin-block:2.6em 2.6em;text-align:center;max-width:none}
.prose hr::before{content:"⁂";color:var(--soft);letter-spacing:.3em}
.prose audio{display:block;width:100%}
.prose .embed:has(img){max-width:46rem}
:is(.embed summary,.embed>a){display:block;position:relative;background:var(--shade);color:inherit;border-radius:4px;overflow:hidden;padding:.9rem 1.2rem;font:.95rem/1.45 var(--ui);text-decoration:none;list-style:none}
.embed summary::-webkit-details-marker{display:none}
.embed summary b{display:block}
.embed summary b::before{content:"▶︎";margin-inline-end:.7em;color:var(--accent)}
.embed details[open]>summary b::before{content:"▼︎"}
:is(.embed summary,.embed>a)>img{width:calc(100% + 2.4rem);max-width:none;aspect-ratio:16/9;object-fit:cover;border-radius:0;margin:-.9rem -1.2rem .9rem}
.embed details[open]>summary{border-end-start-radius:0;border-end-end-radius:0}
.embed details[open]>summary img{display:none}
.embed>a b,.embed>a small{display:block}
.embed>a:hover b{text-decoration:underline}
.embed>a small{color:var(--soft)}
.embed iframe{display:block;width:100%;border:0;aspect-ratio:16/9;background:var(--shade)}
.embed:is([data-provider=spotify],[data-provider=soundcloud]) iframe{aspect-ratio:auto;height:22rem}
.embed:is([data-id^=track],[data-id^=episode]) iframe{height:9.5rem}
.embed:is([data-provider=x],[data-provider=bluesky],[data-provider=codepen],[data-provider=codesandbox]) iframe{aspect-ratio:auto;height:34rem}
.prose :is(sup,sub){line-height:0;font-size:.72em}
.prose .callout{background:var(--shade);border-inline-start:3px solid var(--accent);border-radius:4px;padding:1rem 1.3rem}
.prose .callout-title{font:600 .86rem/1.4 var(--ui);margin:0 0 .5rem}
.prose .callout>:nth-child(2){margin-block-start:0}
.prose :is(.callout,details)>:last-child{margin-block-end:0}
.prose summary{cursor:pointer;font-weight:600}
.prose figcaption{font-family:var(--ui);font-size:.82rem;line-height:1.5;color:var(--soft);margin-block-start:.7em;text-align:center}
.prose :is(.gallery,figure:has(>img~img)){display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:.8rem;max-width:46rem}
.gallery>*{margin:0}
.prose figure>figcaption{grid-column:1/-1}
.prose :is(.gallery,figure:has(>img~img)) img{width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:4px}
.prose>figure:not(.embed){max-width:46rem;margin-block:2.2em 0}
.prose sup a{text-decoration:none;padding:.3em .15em;font-variant-numeric:lining-nums}
.prose .footnotes{font-size:.88rem;line-height:1.55;border-block-start:1px solid var(--line);margin-block-start:3.2em;padding-block-start:1.2em;color:var(--soft)}
.prose .footnotes ol{padding-inline-start:1.3em;margin:0}
.prose .footnotes p{margin:0}
:target{scroll-margin-top:1.5rem}
.footnotes :target,sup :target{background:var(--shade)}
.plain{white-space:pre-wrap}
.origin{max-width:var(--measure);margin:2.6rem auto 0;color:var(--soft);border-inline-start:3px solid var(--line);padding-inline-start:1rem}
.next{max-width:var(--wide);margin:3.6rem auto 0;border-block-start:1px solid var(--line);padding-block-start:1.6rem;display:grid;grid-template-columns:1fr 1fr;gap:1.4rem}
.next span{display:block;font:.82rem/1.5 var(--ui);color:var(--soft)}
.next a{font-family:var(--head);font-size:1.14rem;font-weight:700;line-height:1.3}
.next :last-child:nth-child(2){text-align:end}
.pages{display:flex;justify-content:space-between;gap:1rem;border-block-start:1px solid var(--line);padding-block-start:1.2rem;margin-block-start:.6rem}
.pages a{padding-block:.4rem}
.pages a:only-child[rel=next]{margin-inline-start:auto}
.arch{list-style:none;margin:0 0 2.4rem;padding:0}
.arch li{display:flex;gap:1.4rem;padding-block:.5rem;border-block-start:1px solid var(--line)}
.arch time{flex:none;width:8.2rem;font:.82rem/1.9 var(--ui);color:var(--soft);font-variant-numeric:tabular-nums}
.year{font-size:1.36rem;margin-block:0 .7rem}
.q{display:flex;gap:.6rem;max-width:32rem}
.q input{flex:1;width:0;min-width:0;font:1rem/1.4 var(--ui);color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:4px;padding:.5rem .75rem}
.q button{font:600 .9rem/1.4 var(--ui);color:var(--paper);background:var(--accent);border:1px solid var(--accent);border-radius:4px;padding:.5rem 1rem;cursor:pointer}
main .q{margin-block:0 2.6rem}
mark{background:none;color:inherit;font-weight:700;box-shadow:inset 0 -.14em var(--accent)}
.foot{border-block-start:1px solid var(--line);color:var(--soft)}
.foot .wrap{display:flex;flex-wrap:wrap;gap:1.2rem 2.4rem;justify-content:space-between;align-items:flex-start;padding-block:2rem 3rem}
.foot .wrap>form{flex:0 1 20rem}
.sub p{margin:0 0 .5rem;max-width:32rem}
.lone{max-width:var(--measure)}
.lone h1{font-size:clamp(1.85rem,1.4rem + 2vw,2.75rem);margin-block-end:1.6rem}
.lone label{display:block;font:600 .9rem/1.4 var(--ui);margin-block:1.6rem .4rem}
.lone .q{margin-block:0 1rem}
.lone form.q{margin-block-start:1.6rem}
.q [aria-invalid]{border-color:var(--accent);border-width:2px}
@media (max-width:34rem){.next{grid-template-columns:1fr}.next :last-child:nth-child(2){text-align:start}.arch :is(li,time){display:block}.list p{font-size:.96rem}.list li:not(:first-child) p{display:none}.foot .wrap>form{flex-basis:100%}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media (forced-colors:active){.q button{border:1px solid}}
@media print{:root{--paper:#fff;--shade:#f6f6f6;--ink:#000;--soft:#444;--line:#bbb;--accent:#000!important}html{font-size:10.5pt}.skip,.top nav,.foot,.toc,.next,.pages,.q{display:none!important}.prose a[href^=http]::after{content:" (" attr(href) ")";font-size:.8em;word-break:break-all}.prose :is(h2,h3){break-after:avoid}.prose :is(pre,blockquote,table,img){break-inside:avoid}.prose pre{white-space:pre-wrap}.prose .table{overflow:visible}table{overflow-wrap:anywhere}main{padding:0}}
`;

/** Returns the style sheet of a blog. Its accent color and typeface are custom properties at the end. */
export function buildStyle({ accentColor, font }: { readonly accentColor: string; readonly font: SiteFont }): string {
  const { light, dark } = makeShades(accentColor);
  const [text, head] = font === "sans" ? [SANS, SANS] : [SERIF, SERIF];
  const own = `:root{--accent:${light};--text:${text};--head:${head};--ui:${SANS}}@media (prefers-color-scheme:dark){:root{--accent:${dark}}}`;
  return SHEET.replaceAll("\n", "") + own;
}

export async function toPolicyHash(style: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
  return `'sha256-${encodeBase64(new Uint8Array(digest))}'`;
}
