// Words that say how something is asked, not what: they would find every document.
const english = `a about an and any are as at be by can could did do does for from had has have how i if in into is it its me my of on or our
please s should so some t tell than that the their them there these they this those to us was we were what when where which who whom whose
why will with would you your`;
const japanese = `の に は を が と で も や へ か な ね よ て た だ です ます でした ました ません ない いる い ある あり する し した して される さ れる
なる なり こと もの これ それ あれ この その あの ここ そこ どこ いつ だれ 誰 何 なに なぜ どう どの どれ どんな いくつ とは から まで より など
について ください 教え 教えて ため よう という 的 ですか ますか`;
const chinese = `的 了 是 在 和 与 及 或 也 都 就 不 吗 呢 吧 啊 什么 什么时候 怎么 怎样 如何 为什么 为何 哪 哪里 哪儿 哪个 哪些 谁 几 多少 请 请问 我 你 他 她 它
我们 你们 他们 这 那 这个 那个 有 有没有 被 把 对 从 到 为 于 之 其 而 以 会 能 可以 一个 的话 关于 告诉`;

/** Words of English, Japanese and Chinese that are left out of a query, unless it has no others. */
export const stopWords: ReadonlySet<string> = new Set([english, japanese, chinese].flatMap((words) => words.split(/\s+/)));
