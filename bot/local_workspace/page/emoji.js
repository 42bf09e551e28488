// The emoji names that bots use most; any other name is shown as it is written.

export const EMOJI = {
  "+1": "👍", "-1": "👎", thumbsup: "👍", thumbsdown: "👎", eyes: "👀", warning: "⚠️",
  white_check_mark: "✅", heavy_check_mark: "✔️", x: "❌", bar_chart: "📊", mag: "🔍",
  chart_with_upwards_trend: "📈", chart_with_downwards_trend: "📉", bulb: "💡", tada: "🎉",
  hourglass: "⌛", hourglass_flowing_sand: "⏳", robot_face: "🤖", wave: "👋", rocket: "🚀",
  heart: "❤️", smile: "😄", slightly_smiling_face: "🙂", thinking_face: "🤔", pray: "🙏",
  raised_hands: "🙌", clap: "👏", fire: "🔥", memo: "📝", page_facing_up: "📄", lock: "🔒",
  information_source: "ℹ️", question: "❓", exclamation: "❗", no_entry: "⛔", stop_sign: "🛑",
  rotating_light: "🚨", construction: "🚧", wrench: "🔧", gear: "⚙️", clock1: "🕐", zap: "⚡",
  file_folder: "📁", open_file_folder: "📂", card_index: "📇", calendar: "📅", date: "📅",
  moneybag: "💰", credit_card: "💳", movie_camera: "🎥", clapper: "🎬", star: "⭐", sparkles: "✨",
  arrow_right: "➡️", arrow_up: "⬆️", arrow_down: "⬇️", point_right: "👉", ok_hand: "👌",
  speech_balloon: "💬", bust_in_silhouette: "👤", busts_in_silhouette: "👥", link: "🔗",
};

export const QUICK = ["+1", "eyes", "white_check_mark", "tada", "heart", "thinking_face"];

export function emoji(name) {
  return EMOJI[name] ?? `:${name}:`;
}
